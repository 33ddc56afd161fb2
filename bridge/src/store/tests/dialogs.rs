use crate::fresh;
use crate::store::StoreError;
use crate::store::fixture::{Home, at, ended};
use rex_shared::transcript::RunState;
use rex_shared::wire::prompt::{Answer, Dialog, DialogKind, DialogState};

#[tokio::test]
async fn a_dialog_is_answered_once_and_dies_with_its_run() {
    let home = Home::new().await;
    let thread = home.draft(&["per seat"], at(1)).await;
    let run = home.send(&thread, "Why?", at(2)).await;
    let dialog = || Dialog {
        dialog_id: fresh::id(),
        kind: DialogKind::Permission,
        title: "May I?".to_owned(),
        action: Some("Bash".to_owned()),
        command: Some("ls".to_owned()),
        path: None,
        diff: None,
        options: vec!["yes".to_owned(), "no".to_owned()],
        state: DialogState::Open,
        opened_at: at(3),
    };
    let (first, second) = (dialog(), dialog());
    home.store
        .open_dialog(&run.run_id, first.clone())
        .await
        .unwrap();
    home.store
        .open_dialog(&run.run_id, second.clone())
        .await
        .unwrap();
    let open = home
        .store
        .conversation(&thread, None)
        .await
        .unwrap()
        .unwrap()
        .open_dialogs;
    assert!(open.contains(&first) && open.contains(&second));
    let answer = async |dialog: &Dialog| {
        home.store
            .answer_dialog(&thread, &dialog.dialog_id, Answer::AllowOnce, None, at(4))
            .await
    };
    assert_eq!(answer(&first).await.unwrap().state, DialogState::Answered);
    assert!(matches!(
        answer(&first).await,
        Err(StoreError::DialogClosed)
    ));
    home.store
        .finish_run(&run.run_id, ended(RunState::Failed), at(5))
        .await
        .unwrap();
    assert!(matches!(
        answer(&second).await,
        Err(StoreError::DialogClosed)
    ));
    let expired = home
        .store
        .dialog(&thread, &second.dialog_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(expired.state, DialogState::Expired);
    assert!(
        home.store
            .dialog(&fresh::id(), &second.dialog_id)
            .await
            .unwrap()
            .is_none()
    );
}
