//! Connections that nobody can listen to: with certificates that are made here.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::desk::{Desk, Running, told};
use crate::server::NatsServer;

/// Puts the certificate of an authority that nobody knows into a folder, and one that it gave to a server
/// on this machine, with its key.
fn certify(folder: &Path) -> (PathBuf, PathBuf, PathBuf) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &authority).unwrap();
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let certificate = put("server.pem", certificate.pem());
    (put("authority.pem", authority.pem()), certificate, put("key.pem", key.serialize_pem()))
}

#[test]
fn a_fleet_works_over_tls_and_trusts_no_stranger() {
    let mut authority = PathBuf::new();
    let server = NatsServer::with("a_fleet_works_over_tls", |folder| {
        let (known, certificate, key) = certify(folder);
        authority = known;
        let path = |path: PathBuf| path.to_str().unwrap().to_owned();
        let (certificate, key) = (path(certificate), path(key));
        ["--tls", "--tlscert", &certificate, "--tlskey", &key, "--auth", "t0ken"]
            .map(str::to_owned)
            .to_vec()
    });
    let Some(server) = server else { return };
    let desk = Desk::of(&format!("tls://t0ken@{}", server.address()));
    let grow = ["grow", "--fleet", "--level", "1", "--positions", "5"];
    // An authority that this machine does not know.
    let refused = desk.refused(&grow);
    assert!(refused.contains("no secure connection") && !refused.contains("t0ken"), "{refused}");
    let trusting = |arguments: &[&str]| {
        let mut command = desk.command(arguments);
        command.env("SSL_CERT_FILE", &authority);
        command
    };
    let _worker = Running::of(&mut trusting(&["fleet", "work", "--threads", "1", "-q"]));
    let grown = trusting(&grow).output().unwrap();
    assert!(grown.status.success(), "{}", told(&grown));
    desk.ok(&["verify"]);
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 5);
    // Who speaks safely must be let in all the same.
    let wrong = format!("tls://wr0ng@{}", server.address());
    let output = trusting(&["fleet", "work", "--fleet", &wrong]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("refuses the credentials"), "{}", told(&output));
    assert!(!told(&output).contains("wr0ng"), "{}", told(&output));
}
