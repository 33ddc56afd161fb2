//! The environment a child gets: an empty one, and what is on the list.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variable that marks what a process starts, so that what leaves the group is found.
///
/// Its value is `RUN/NUMBER`: a run that tries again is not ended by the clearing up behind its first process.
pub const RUN_VARIABLE: &str = "REX_RUN";

/// What every child gets of the bridge's own variables. Not here, each for a reason: keys (a child gets those of its
/// own gateway, from its adapter), markers of an agent that the bridge itself was started by, proxies (traffic goes
/// where the gateway says), `REX_*`.
const PASSED_ON: [&str; 6] = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ"];

/// The bridge's own variables, read once, for looking programs and folders up in.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// The variables of this process. Names that are not UTF-8 are left out; no adapter asks for them.
    pub fn of_this_process() -> Self {
        Self(
            std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .collect(),
        )
    }

    /// Just these.
    pub fn of<N: Into<String>, V: Into<OsString>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        Self(
            variables
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    /// One of them; an empty one counts as unset.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0
            .get(name)
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }

    /// Those of these that are set, for a child that needs them too.
    pub fn those_of<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> BTreeMap<String, OsString> {
        let set = |name: N| {
            let name = name.as_ref();
            Some((name.to_owned(), self.get(name)?.to_owned()))
        };
        names.into_iter().filter_map(set).collect()
    }

    /// The folder that a variable names, else this one below the person's home.
    pub fn folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let named = self.get(variable).map(PathBuf::from);
        named.or_else(|| Some(Path::new(self.get("HOME")?).join(below_home)))
    }

    /// What a child may have of them.
    pub(super) fn passed_on(&self) -> impl Iterator<Item = (&String, &OsString)> {
        self.0
            .iter()
            .filter(|(name, _)| PASSED_ON.contains(&name.as_str()) || name.starts_with("LC_"))
    }
}

// Values may be keys.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Environment({} variables)", self.0.len())
    }
}
