//! Certificates for tests, valid and invalid.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// A server certificate and the authority that signed it.
pub struct Certificate {
    chain: Vec<CertificateDer<'static>>,
    key: Vec<u8>,
    /// The authority in DER; `None` for a self-signed certificate.
    pub authority: Option<Vec<u8>>,
}

impl Certificate {
    /// Creates a valid certificate for these names and addresses, signed by a new authority.
    ///
    /// # Panics
    /// Panics when the certificate cannot be created, as the functions below do.
    #[must_use]
    pub fn good(names: &[&str]) -> Self {
        Self::signed(names, None)
    }

    /// Creates a certificate that expired on a day: year, month, day.
    #[must_use]
    pub fn expired(names: &[&str], (year, month, day): (i32, u8, u8)) -> Self {
        Self::signed(names, Some((year, month, day)))
    }

    /// Creates a self-signed certificate.
    #[must_use]
    pub fn self_signed(names: &[&str]) -> Self {
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters(names).self_signed(&key).expect("a certificate");
        Self { chain: vec![certificate.der().clone()], key: key.serialize_der(), authority: None }
    }

    fn signed(names: &[&str], expired: Option<(i32, u8, u8)>) -> Self {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.distinguished_name.push(DnType::CommonName, "An authority for tests");
        let authority =
            CertifiedIssuer::self_signed(authority, KeyPair::generate().expect("a key")).expect("an authority");
        let mut leaf = parameters(names);
        if let Some((year, month, day)) = expired {
            leaf.not_before = date_time_ymd(year - 1, month, day);
            leaf.not_after = date_time_ymd(year, month, day);
        }
        let key = KeyPair::generate().expect("a key");
        let leaf = leaf.signed_by(&key, &authority).expect("a certificate");
        Self { chain: vec![leaf.der().clone()], key: key.serialize_der(), authority: Some(authority.der().to_vec()) }
    }

    /// Returns an acceptor for TLS with this certificate and these protocols (ALPN).
    ///
    /// # Panics
    /// Panics when certificate and key do not match.
    #[must_use]
    pub fn acceptor(&self, protocols: &[&str]) -> TlsAcceptor {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.clone()));
        let mut config = rustls::ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("protocol versions")
            .with_no_client_auth()
            .with_single_cert(self.chain.clone(), key)
            .expect("a certificate and its key");
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        TlsAcceptor::from(Arc::new(config))
    }
}

fn parameters(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut parameters = CertificateParams::new(names).expect("names");
    parameters.distinguished_name.push(DnType::CommonName, "A server for tests");
    parameters
}
