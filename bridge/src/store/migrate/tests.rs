use super::*;
use crate::store::open::open;
use tempfile::TempDir;

const FIRST: &str = "CREATE TABLE letter (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
INSERT INTO letter (text) VALUES ('a'), ('b');
";
const SECOND: [&str; 3] = [
    "ALTER TABLE letter ADD COLUMN read INTEGER NOT NULL DEFAULT 0;\n",
    "CREATE TABLE stamp (letter INTEGER REFERENCES letter (id));\n",
    "INSERT INTO stamp SELECT id FROM letter;\n",
];
/// What a kill looks like to the database: the statement never ends well.
const KILLED: &str = "SELECT no_such_function();";

/// The schema's version, its text, and every letter.
fn state(path: &Path) -> (u32, Vec<String>, Vec<String>) {
    let db = Connection::open(path).unwrap();
    let list = |sql: &str| -> Vec<String> {
        let mut found = db.prepare(sql).unwrap();
        let found = found.query_map([], |row| row.get(0)).unwrap();
        found.map(Result::unwrap).collect()
    };
    let version = db
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    (
        version,
        list("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"),
        list("SELECT text FROM letter ORDER BY id"),
    )
}

#[test]
fn a_migration_cut_off_at_any_statement_leaves_the_old_schema_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("letters.db");
    drop(open(&path, &[FIRST]).unwrap());
    let before = state(&path);
    for ran in 0..=SECOND.len() {
        let cut = SECOND[..ran].concat() + KILLED;
        assert!(open(&path, &[FIRST, &cut]).is_err());
        assert_eq!(state(&path), before, "after {ran} statements");
    }
    drop(open(&path, &[FIRST, &SECOND.concat()]).unwrap());
    let (version, schema, letters) = state(&path);
    assert_eq!((version, letters), (2, before.2));
    assert!(schema.iter().any(|sql| sql.contains("stamp")));
}

#[test]
fn the_real_migrations_leave_nothing_behind_when_cut_off() {
    for (at, step) in MIGRATIONS.iter().enumerate() {
        let statements: Vec<&str> = step.split_inclusive(";\n").collect();
        for ran in 0..statements.len() {
            let mut db = Connection::open_in_memory().unwrap();
            run(&mut db, &MIGRATIONS[..at], 0).unwrap();
            let objects = |db: &Connection| -> i64 {
                db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
                    .unwrap()
            };
            let before = objects(&db);
            let cut = statements[..ran].concat() + KILLED;
            let mut steps = MIGRATIONS[..at].to_vec();
            steps.push(&cut);
            assert!(run(&mut db, &steps, u32::try_from(at).unwrap()).is_err());
            assert_eq!(objects(&db), before, "step {at} after {ran} statements");
        }
    }
}

#[test]
fn an_older_database_is_backed_up_before_it_is_brought_up_to_date() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("letters.db");
    drop(open(&path, &[FIRST]).unwrap());
    let before = state(&path);
    drop(open(&path, &[FIRST, &SECOND.concat()]).unwrap());
    let backup = folder.path().join("letters.db.schema-1.backup");
    assert_eq!(state(&backup), before);
    assert!(!folder.path().join("letters.db.backup.partial").exists());
}

#[test]
fn a_new_database_needs_no_backup_and_an_up_to_date_one_neither() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("letters.db");
    for _ in 0..2 {
        drop(open(&path, &[FIRST]).unwrap());
    }
    let backups = std::fs::read_dir(folder.path())
        .unwrap()
        .filter(|file| {
            let name = file.as_ref().unwrap().file_name();
            name.to_string_lossy().contains("backup")
        })
        .count();
    assert_eq!(backups, 0);
}

#[test]
fn without_a_sound_backup_nothing_is_migrated() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("letters.db");
    drop(open(&path, &[FIRST]).unwrap());
    let before = state(&path);
    // A folder where the backup has to go: it cannot be written.
    std::fs::create_dir(folder.path().join("letters.db.schema-1.backup")).unwrap();
    std::fs::write(
        folder.path().join("letters.db.schema-1.backup/in-the-way"),
        "",
    )
    .unwrap();
    assert!(open(&path, &[FIRST, &SECOND.concat()]).is_err());
    assert_eq!(state(&path), before);
}

#[test]
fn a_migration_that_has_landed_never_changes() {
    let landed = [
        "97b4fa4ff1de99d732c7ee66131222f8475bb5be3e38eabda0112b10e3a39118",
        "c7ea996a64aa451ec7eaa197cd05aaabb7149e0c1f5f3bcc9f87356c014293da",
        "5c8efe9fc7029d6bf3c43a6e8da4076ecda0086209498149b19d32280da18464",
        "65067291b48e3baf5c79a1736a031ad2ee6730457fe8b4e398ff605c88ce41ed",
        "306c361b9f2488fcefa8c9326e10f09071b9bc79b753ed2782fbf7beed37b9dd",
        "4e7d4aa14d104a3af45092e16e682d633b704740e8aa6a4877385a393dbc0f9d",
    ];
    let now: Vec<_> = MIGRATIONS
        .iter()
        .map(|step| blake3::hash(step.as_bytes()).to_hex().to_string())
        .collect();
    assert_eq!(now, landed, "add a new file instead");
}
