//! A file of credentials as `nsc` makes it. Operator, account and user were made for this test, once, and
//! are good for nothing else.

use std::fs;
use std::path::Path;

use crate::desk::{Desk, Running, told};
use crate::server::NatsServer;

/// Who says which accounts there are.
const OPERATOR: &str = concat!(
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiIxIiwiaWF0IjoxLCJpc3MiOiJPQ",
    "01JQ080WFhSVkZRTEoyUDdCRFM0TVZSV0MzRlhWUUxQRlk3VERCTEo0NVA2NkxNNkJWVVhQTiIsIm5hbWUiO",
    "iJ0ZXN0Iiwic3ViIjoiT0NNSUNPNFhYUlZGUUxKMlA3QkRTNE1WUldDM0ZYVlFMUEZZN1REQkxKNDVQNjZMT",
    "TZCVlVYUE4iLCJuYXRzIjp7InR5cGUiOiJvcGVyYXRvciIsInZlcnNpb24iOjJ9fQ.jAk-EyxjKpH6JWxG91",
    "BzEgUt4KI_Y_hjJFM_fsYGyAiSeynTxwlezA3clWzakEyiQXZex6BZP8eSRwDJKFr1Aw",
);
/// The account's public key.
const ACCOUNT: &str = "AC3TC5F6R3OR6LGIDWYRNADV3MGXYGJHGODAAFANJQFGUW4WANGY7C2K";
/// What it may do: everything.
const ACCOUNT_TOKEN: &str = concat!(
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiIxIiwiaWF0IjoxLCJpc3MiOiJPQ",
    "01JQ080WFhSVkZRTEoyUDdCRFM0TVZSV0MzRlhWUUxQRlk3VERCTEo0NVA2NkxNNkJWVVhQTiIsIm5hbWUiO",
    "iJ0ZXN0Iiwic3ViIjoiQUMzVEM1RjZSM09SNkxHSURXWVJOQURWM01HWFlHSkhHT0RBQUZBTkpRRkdVVzRXQ",
    "U5HWTdDMksiLCJuYXRzIjp7ImxpbWl0cyI6eyJzdWJzIjotMSwiZGF0YSI6LTEsInBheWxvYWQiOi0xLCJpb",
    "XBvcnRzIjotMSwiZXhwb3J0cyI6LTEsIndpbGRjYXJkcyI6dHJ1ZSwiY29ubiI6LTEsImxlYWYiOi0xLCJtZ",
    "W1fc3RvcmFnZSI6LTEsImRpc2tfc3RvcmFnZSI6LTEsInN0cmVhbXMiOi0xLCJjb25zdW1lciI6LTF9LCJkZ",
    "WZhdWx0X3Blcm1pc3Npb25zIjp7InB1YiI6e30sInN1YiI6e319LCJ0eXBlIjoiYWNjb3VudCIsInZlcnNpb",
    "24iOjJ9fQ.h5e53kpXYMTlrVoupS75XMVWmneVWPI-eEWp5OT1EYN2buJsN3a78WzrbU-ngU6flzf9IfzDqL",
    "YQYCHHhsE4Cg",
);
/// The account of the server's own messages, which JetStream asks for.
const SYSTEM: &str = "ABR5AHU4SPKQHEUQB2GQBHSJYMERQSEQAPSETYZ5IMGM5GOAYQXCR3ZG";
/// What it may do.
const SYSTEM_TOKEN: &str = concat!(
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiIxIiwiaWF0IjoxLCJpc3MiOiJPQ",
    "01JQ080WFhSVkZRTEoyUDdCRFM0TVZSV0MzRlhWUUxQRlk3VERCTEo0NVA2NkxNNkJWVVhQTiIsIm5hbWUiO",
    "iJ0ZXN0Iiwic3ViIjoiQUJSNUFIVTRTUEtRSEVVUUIyR1FCSFNKWU1FUlFTRVFBUFNFVFlaNUlNR001R09BW",
    "VFYQ1IzWkciLCJuYXRzIjp7InR5cGUiOiJhY2NvdW50IiwidmVyc2lvbiI6Mn19.DagPh_p_q9JaiRIpg6eo",
    "82_nkhNFMPtcLXbCpRREDe6A8vqRURAIwmrWPfzNJP3eUoFGuOgqWSJhP0xdjTXUDA",
);
/// A user of the account.
const USER_TOKEN: &str = concat!(
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiIxIiwiaWF0IjoxLCJpc3MiOiJBQ",
    "zNUQzVGNlIzT1I2TEdJRFdZUk5BRFYzTUdYWUdKSEdPREFBRkFOSlFGR1VXNFdBTkdZN0MySyIsIm5hbWUiO",
    "iJ0ZXN0Iiwic3ViIjoiVUFWTEgyMlpVSTY1STNWVTZTR1VBU1dDWk9XN1ZOU1Y1NllUWkZWWVlFTFBCQlhVN",
    "0VKTk9WRUwiLCJuYXRzIjp7InB1YiI6e30sInN1YiI6e30sInN1YnMiOi0xLCJkYXRhIjotMSwicGF5bG9hZ",
    "CI6LTEsInR5cGUiOiJ1c2VyIiwidmVyc2lvbiI6Mn19.IgWTa5NiPX5U4RCeGF3Bs_kphny7NyCTPqYQRog7",
    "HOt3Evuq8F3YPQPqREzkmlTjkdcufimYNW9WHNWDSmPnBw",
);
/// The user's private key.
const USER_SEED: &str = "SUAMCXZHLBUEULCW3LBHPR6QKOU37O6QGUIJSFYLANCZPAR2JEKTX6LQEY";

fn credentials(user: &str, seed: &str) -> String {
    format!(
        "-----BEGIN NATS USER JWT-----\n{user}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

fn configuration(folder: &Path) -> Vec<String> {
    let file = folder.join("server.conf");
    let text = format!(
        "operator: {OPERATOR}\nsystem_account: {SYSTEM}\nresolver: MEMORY\n\
         resolver_preload: {{ {ACCOUNT}: {ACCOUNT_TOKEN}, {SYSTEM}: {SYSTEM_TOKEN} }}\n"
    );
    fs::write(&file, text).unwrap();
    vec!["-c".to_owned(), file.to_str().unwrap().to_owned()]
}

#[test]
fn a_file_of_credentials_lets_in_and_is_never_told() {
    let server = NatsServer::with("a_file_of_credentials", configuration);
    let Some(server) = server else { return };
    let desk = Desk::of(&server.url());
    let grow = ["grow", "--fleet", "--level", "1", "--positions", "5", "-vvv"];
    let without = desk.refused(&grow);
    assert!(without.contains("refuses the credentials"), "{without}");
    let missing = desk.refused(&[&grow[..], &["--fleet-credentials", "none.creds"]].concat());
    assert!(missing.contains("none.creds: there is no such file"), "{missing}");
    fs::write(desk.path("wrong.creds"), USER_SEED).unwrap();
    let wrong = desk.refused(&[&grow[..], &["--fleet-credentials", "wrong.creds"]].concat());
    assert!(wrong.contains("not a file of credentials"), "{wrong}");

    fs::write(desk.path("user.creds"), credentials(USER_TOKEN, USER_SEED)).unwrap();
    let with = |arguments: &[&str]| {
        let mut command = desk.command(arguments);
        command.env("ROSEBILL_FLEET_CREDENTIALS", desk.path("user.creds"));
        command
    };
    let _worker = Running::of(&mut with(&["fleet", "work", "--threads", "1", "-q"]));
    let grown = with(&grow).output().unwrap();
    assert!(grown.status.success(), "{}", told(&grown));
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 5);
    for text in [wrong, told(&grown), desk.ok(&["info"])] {
        assert!(!text.contains(USER_SEED) && !text.contains(USER_TOKEN), "{text}");
    }
}
