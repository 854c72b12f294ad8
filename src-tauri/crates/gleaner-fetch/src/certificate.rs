//! Certificates: who judges them, the exceptions that the user makes, and what a person needs to know to make one.

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

/// The SHA-256 of a certificate in DER: what names the very one that the user accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    fn of(certificate: &CertificateDer<'_>) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, certificate).as_ref());
        Self(bytes)
    }
}

/// As browsers and openssl show it: `3A:0F:…`.
impl Display for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bytes: Vec<String> = self.0.iter().map(|byte| format!("{byte:02X}")).collect();
        f.write_str(&bytes.join(":"))
    }
}

/// 64 hexadecimal digits of any case, with colons or spaces between them or without.
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

/// A text is no fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 fingerprint has 64 hexadecimal digits")]
pub struct NoFingerprint;

/// What a certificate that was refused says of itself (RFC 5280). All but the fingerprint may be lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// To accept it by.
    pub fingerprint: Fingerprint,
    /// Whom it is for, such as `CN=feeds.example.com`.
    pub subject: String,
    /// Who vouches for it; the subject itself where nobody does.
    pub issuer: String,
    /// The hosts that it is for (`subjectAltName`).
    pub names: Vec<String>,
    /// Valid from then on.
    pub not_before: Option<DateTime<Utc>>,
    /// Valid until then.
    pub not_after: Option<DateTime<Utc>>,
}

/// What can be wrong with a certificate, as far as it says so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Its time is over.
    Expired,
    /// Its time has not come.
    NotYetValid,
    /// It is for other hosts.
    WrongName,
    /// Nobody but itself vouches for it.
    SelfSigned,
    /// An authority vouches for it that this computer does not know, or something rarer.
    Untrusted,
}

impl Certificate {
    /// What is wrong with it where `host` shows it, and the system refused it. Never empty.
    #[must_use]
    pub fn faults(&self, host: &str, now: DateTime<Utc>) -> Vec<Fault> {
        let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        // RFC 9525, section 6.3: a star stands for one label, the leftmost.
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

    /// Bytes that are no certificate still have a fingerprint.
    fn read(der: &CertificateDer<'_>) -> Self {
        let fingerprint = Fingerprint::of(der);
        let Ok((_, read)) = X509Certificate::from_der(der) else {
            let nothing = String::new;
            return Self {
                fingerprint,
                subject: nothing(),
                issuer: nothing(),
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

/// A certificate that was refused, on its way up through rustls.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{why}")]
pub(crate) struct Refused {
    pub(crate) why: rustls::Error,
    /// Who showed it: the server, or a proxy.
    pub(crate) host: String,
    pub(crate) certificate: Certificate,
}

/// The system's own verifier, with at most one exception, and with a record of what it refuses. The exception takes away
/// no proof but the authority's word: that the server has the certificate's key is still asked for.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(crate) verifier: Arc<Verifier>,
    pub(crate) exception: Option<(ServerName<'static>, Fingerprint)>,
}

impl ServerCertVerifier for Judge {
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
        verified.map_err(|why| {
            let (host, certificate) = (server_name.to_str().into_owned(), Certificate::read(end_entity));
            CertificateError::Other(OtherError(Arc::new(Refused { why, host, certificate }))).into()
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
    fn a_certificate_tells_its_faults() {
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
    fn fingerprints_are_read_as_they_are_written() {
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
