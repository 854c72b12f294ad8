//! TLS certificates: verification, the exceptions that users make, and the data shown to make one.

use chrono::{DateTime, Utc};
use ring::digest::{SHA256, digest};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// SHA-256 of a certificate in DER form; identifies the exact certificate that the user accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    fn of(certificate: &CertificateDer<'_>) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, certificate).as_ref());
        Self(bytes)
    }
}

/// Formats like browsers and openssl: `3A:0F:…`.
impl Display for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bytes: Vec<String> = self.0.iter().map(|byte| format!("{byte:02X}")).collect();
        f.write_str(&bytes.join(":"))
    }
}

/// Parses 64 hexadecimal digits of either case, optionally separated by colons or spaces.
impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Self, NoFingerprint> {
        let digits: Option<Vec<u8>> = text
            .chars()
            .filter(|letter| !matches!(letter, ':' | ' '))
            .map(|letter| letter.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        let bytes: Vec<u8> =
            digits.unwrap_or_default().chunks(2).filter_map(|pair| Some(pair.first()? << 4 | pair.get(1)?)).collect();
        bytes.try_into().map(Self).map_err(|_| NoFingerprint)
    }
}

/// The text is not a SHA-256 fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 fingerprint has 64 hexadecimal digits")]
pub struct NoFingerprint;

/// The contents of a rejected certificate (RFC 5280). Only the fingerprint can be trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Identifies the certificate when the user accepts it.
    pub fingerprint: Fingerprint,
    /// Subject, such as `CN=feeds.example.com`.
    pub subject: String,
    /// Issuer; equal to the subject for a self-signed certificate.
    pub issuer: String,
    /// Host names and addresses that the certificate is valid for (`subjectAltName`).
    pub names: Vec<String>,
    /// Start of validity.
    pub not_before: Option<DateTime<Utc>>,
    /// End of validity.
    pub not_after: Option<DateTime<Utc>>,
}

/// A problem that can be seen in a certificate's own contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The validity period has ended.
    Expired,
    /// The validity period has not begun.
    NotYetValid,
    /// Valid for other hosts only.
    WrongName,
    /// Signed by its own key.
    SelfSigned,
    /// Signed by an authority that this computer does not trust, or a rarer problem.
    Untrusted,
}

impl Certificate {
    /// Returns what is wrong with this rejected certificate when presented by `host`. Never empty.
    #[must_use]
    pub fn faults(&self, host: &str, now: DateTime<Utc>) -> Vec<Fault> {
        let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        // A wildcard matches exactly one label, the leftmost (RFC 9525, section 6.3).
        let is_for = |name: &String| {
            let name = name.to_ascii_lowercase();
            let below =
                name.strip_prefix("*.").zip(host.split_once('.')).is_some_and(|(rest, (_, domain))| rest == domain);
            name == host || below
        };
        let mut faults = Vec::new();
        if self.not_after.is_some_and(|end| end < now) {
            faults.push(Fault::Expired);
        }
        if self.not_before.is_some_and(|begin| begin > now) {
            faults.push(Fault::NotYetValid);
        }
        if !self.names.iter().any(is_for) {
            faults.push(Fault::WrongName);
        }
        if self.issuer == self.subject {
            faults.push(Fault::SelfSigned);
        }
        if faults.is_empty() {
            faults.push(Fault::Untrusted);
        }
        faults
    }

    /// Reads a certificate. Malformed bytes still have a fingerprint.
    fn read(der: &CertificateDer<'_>) -> Self {
        let fingerprint = Fingerprint::of(der);
        let Ok((_, read)) = X509Certificate::from_der(der) else {
            let empty = String::new;
            return Self {
                fingerprint,
                subject: empty(),
                issuer: empty(),
                names: Vec::new(),
                not_before: None,
                not_after: None,
            };
        };
        let names = read.subject_alternative_name().ok().flatten().map(|names| &names.value.general_names);
        let names = names.into_iter().flatten().filter_map(|name| match name {
            GeneralName::DNSName(name) => Some((*name).to_owned()),
            GeneralName::IPAddress([a, b, c, d]) => Some(std::net::Ipv4Addr::new(*a, *b, *c, *d).to_string()),
            GeneralName::IPAddress(bytes) => {
                <[u8; 16]>::try_from(*bytes).ok().map(|bytes| std::net::Ipv6Addr::from(bytes).to_string())
            }
            _ => None,
        });
        let validity = read.validity();
        let moment = |seconds| DateTime::<Utc>::from_timestamp(seconds, 0);
        Self {
            fingerprint,
            subject: read.subject().to_string(),
            issuer: read.issuer().to_string(),
            names: names.collect(),
            not_before: moment(validity.not_before.timestamp()),
            not_after: moment(validity.not_after.timestamp()),
        }
    }
}

/// A rejected certificate, passed through rustls as an error.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct RejectedCertificate {
    pub(crate) reason: rustls::Error,
    /// Host that presented the certificate: the server or a proxy.
    pub(crate) host: String,
    pub(crate) certificate: Certificate,
}

/// The system's verifier with at most one accepted exception, which also records rejected certificates. The exception
/// only replaces the trust in the issuer: the server must still prove that it has the certificate's private key.
#[derive(Debug)]
pub(crate) struct PinningVerifier {
    pub(crate) verifier: Arc<Verifier>,
    pub(crate) exception: Option<(ServerName<'static>, Fingerprint)>,
}

impl ServerCertVerifier for PinningVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some((host, accepted)) = &self.exception
            && host == server_name
            && *accepted == Fingerprint::of(end_entity)
        {
            return Ok(ServerCertVerified::assertion());
        }
        let verified = self.verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verified.map_err(|reason| {
            let (host, certificate) = (server_name.to_str().into_owned(), Certificate::read(end_entity));
            CertificateError::Other(OtherError(Arc::new(RejectedCertificate { reason, host, certificate }))).into()
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn finds_the_faults_of_a_certificate() {
        let (now, day) = (Utc::now(), chrono::Duration::days(1));
        let good = Certificate {
            fingerprint: Fingerprint([0; 32]),
            subject: "CN=example.com".to_owned(),
            issuer: "CN=Somebody".to_owned(),
            names: vec!["example.com".to_owned(), "*.example.com".to_owned()],
            not_before: Some(now - day),
            not_after: Some(now + day),
        };
        for host in ["example.com", "Feeds.example.com"] {
            assert_eq!(good.faults(host, now), [Fault::Untrusted], "{host}");
        }
        for host in ["example.org", "a.b.example.com", "com", "[::1]"] {
            assert_eq!(good.faults(host, now), [Fault::WrongName], "{host}");
        }
        let own = Certificate { issuer: good.subject.clone(), names: vec!["::1".to_owned()], ..good.clone() };
        assert_eq!(own.faults("[::1]", now), [Fault::SelfSigned]);
        assert_eq!(own.faults("[::1]", now + day * 2), [Fault::Expired, Fault::SelfSigned]);
        assert_eq!(good.faults("example.com", now - day * 2), [Fault::NotYetValid]);
    }

    #[test]
    fn parses_displayed_fingerprints() {
        let fingerprint = Fingerprint(std::array::from_fn(|index| u8::try_from(index * 8).unwrap()));
        let text = fingerprint.to_string();
        assert!(text.starts_with("00:08:10:18:"), "{text}");
        assert_eq!(text.parse(), Ok(fingerprint));
        assert_eq!(text.to_lowercase().replace(':', "").parse(), Ok(fingerprint));
        for wrong in ["", "00:08", &text[1..], &format!("{text}:00"), &text.replace("08", "0x")] {
            assert_eq!(wrong.parse::<Fingerprint>(), Err(NoFingerprint), "{wrong}");
        }
    }
}
