//! Where the fleet is: a flag, the environment, or the configuration.

use std::path::PathBuf;

use super::context::Context;
use super::hint::Refusal;
use crate::app::Contact;
use crate::faces::render::Command;

/// The environment variable that holds the address of the fleet's server.
#[cfg(feature = "fleet")]
pub const FLEET_VARIABLE: &str = "ROSEBILL_FLEET";
/// The environment variable that names a file of credentials for it.
#[cfg(feature = "fleet")]
pub const CREDENTIALS_VARIABLE: &str = "ROSEBILL_FLEET_CREDENTIALS";

/// What a build without fleets says.
#[cfg(not(feature = "fleet"))]
pub const NOT_BUILT: &str = "this build has no fleet support; install it with 'cargo install --locked --path . --features fleet'";

/// What keeps from speaking with a fleet's server, if anything does.
pub const fn trouble(contact: Contact) -> Option<&'static str> {
    match contact {
        Contact::Stands => None,
        Contact::Lost => Some("the fleet's server is away"),
        Contact::Refused => Some("the fleet's server refuses the credentials"),
    }
}

/// Flags of whatever speaks with a fleet.
#[derive(clap::Args, Clone, Default)]
pub struct FleetArguments {
    /// The fleet's server: nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ or TOKEN@ if it
    /// asks for them; without an address $ROSEBILL_FLEET, else the configuration's
    #[arg(long, value_name = "URL", num_args = 0..=1, require_equals = true,
        default_missing_value = "")]
    pub fleet: Option<String>,
    /// A file of credentials for the server (.creds); else $ROSEBILL_FLEET_CREDENTIALS, else the
    /// configuration's
    #[arg(long, value_name = "FILE")]
    #[cfg_attr(not(feature = "fleet"), allow(dead_code))] // understood, and never come to
    pub fleet_credentials: Option<PathBuf>,
}

/// Addresses are left out.
impl std::fmt::Debug for FleetArguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FleetArguments").finish_non_exhaustive()
    }
}

impl FleetArguments {
    /// The address, with its file of credentials.
    #[cfg(feature = "fleet")]
    pub fn address(&self, context: &Context) -> anyhow::Result<crate::fleet::Address> {
        let from_environment =
            |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let settings = context.settings();
        let text = self
            .fleet
            .clone()
            .filter(|text| !text.is_empty())
            .or_else(|| from_environment(FLEET_VARIABLE))
            .or_else(|| settings.fleet.clone())
            .ok_or_else(|| {
                let text = "where is the fleet's server? Give --fleet nats://HOST:4222 or \
                            $ROSEBILL_FLEET, or set it once";
                let words = ["fleet", "nats://HOST:4222"];
                let set = Command::new("config set").of_no_book().with(words);
                Refusal::new(text, [set])
            })?;
        let mut address: crate::fleet::Address = text.parse()?;
        address.credentials = self
            .fleet_credentials
            .clone()
            .or_else(|| from_environment(CREDENTIALS_VARIABLE).map(PathBuf::from))
            .or_else(|| settings.fleet_credentials.clone());
        Ok(address)
    }

    /// Says how to get a program that knows fleets.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "fleet"))]
    pub fn address(&self, _: &Context) -> anyhow::Result<std::convert::Infallible> {
        anyhow::bail!(NOT_BUILT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_of_the_flags_holds_no_password() {
        let arguments =
            FleetArguments { fleet: Some("nats://u:secret@h".into()), ..Default::default() };
        assert!(!format!("{arguments:?}").contains("secret"));
    }
}
