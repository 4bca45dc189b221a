/** A certificate authority for one sandbox, and the certificates that it signs. */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

/** A certificate and its key, as PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  readonly certificate: string;
  /** For a server on these DNS names and IPv4 addresses; clients may show it as well (etcd does to itself). */
  serving(names: readonly string[]): Credentials;
  /** What Kubernetes reads as a user and the groups that the user is in. */
  client(user: string, groups?: readonly string[]): Credentials;
}

/** Two sandboxes have nothing in common: what one authority signs is refused by everything of another. */
export function createAuthority(name: string): Authority {
  const pair = generateKeyPair();
  const subject = distinguishedName(name);
  const issue = (request: Request) => certificate(request, subject, pair);
  const signed = (subject: Name, extensions: readonly Extension[]): Credentials => {
    const own = generateKeyPair();
    return {
      certificate: issue({ subject, publicKey: own.publicKey, extensions }),
      key: privatePem(own.privateKey),
    };
  };
  return {
    certificate: issue({ subject, publicKey: pair.publicKey, extensions: authorityExtensions() }),
    serving: (names) =>
      signed(distinguishedName(names[0] ?? name), [
        extendedKeyUsage('1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'),
        alternativeNames(names),
      ]),
    client: (user, groups = []) =>
      signed(distinguishedName(user, groups), [extendedKeyUsage('1.3.6.1.5.5.7.3.2')]),
  };
}

/** A key for signing service account tokens, as PEM, in the older form from which the API server reads both halves. */
export function createSigningKey(): string {
  return generateKeyPair().privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface Request {
  readonly subject: Name;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Extension[];
}

const hour = 3_600_000;
const ecdsaWithSha256 = () => new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });

function certificate(request: Request, issuer: Name, authority: KeyPair): string {
  const now = Date.now();
  const authorityKeyId = new KeyIdentifier(keyIdentifier(authority.publicKey));
  const content = new TBSCertificate({
    version: Version.v3,
    // Positive, and never the same twice.
    serialNumber: Uint8Array.from([1, ...randomBytes(15)]).buffer,
    signature: ecdsaWithSha256(),
    issuer,
    // An hour back: the clock of a container may be behind the one of its host.
    validity: new Validity({
      notBefore: new Date(now - hour),
      notAfter: new Date(now + 365 * 24 * hour),
    }),
    subject: request.subject,
    subjectPublicKeyInfo: AsnConvert.parse(publicDer(request.publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions([
      ...request.extensions,
      extension(
        id_ce_subjectKeyIdentifier,
        new SubjectKeyIdentifier(keyIdentifier(request.publicKey)),
      ),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: authorityKeyId }),
      ),
    ]),
  });
  const signature = sign(
    'sha256',
    Buffer.from(AsnConvert.serialize(content)),
    authority.privateKey,
  );
  const signed = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: ecdsaWithSha256(),
    signatureValue: Uint8Array.from(signature).buffer,
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(signed))).toString();
}

/** Kubernetes reads a user's name from the common name (2.5.4.3), groups from organizations (2.5.4.10). */
function distinguishedName(name: string, groups: readonly string[] = []): Name {
  const part = (type: string, utf8String: string) =>
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) }),
    ]);
  return new Name([...groups.map((group) => part('2.5.4.10', group)), part('2.5.4.3', name)]);
}

function authorityExtensions(): readonly Extension[] {
  const flags = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), { critical: true }),
    extension(id_ce_keyUsage, new KeyUsage(flags), { critical: true }),
  ];
}

function extendedKeyUsage(...purposes: readonly string[]): Extension {
  return extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...purposes]));
}

function alternativeNames(names: readonly string[]): Extension {
  const general = names.map((name) =>
    isIP(name) === 4 ? new GeneralName({ iPAddress: name }) : new GeneralName({ dNSName: name }),
  );
  return extension(id_ce_subjectAltName, new SubjectAlternativeName(general));
}

function extension(extnID: string, value: object, { critical = false } = {}): Extension {
  return new Extension({
    extnID,
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  });
}

/** Any digest of the key will do; RFC 7093 names the first 160 bits of SHA-256. */
function keyIdentifier(key: KeyObject): ArrayBuffer {
  const digest = createHash('sha256').update(publicDer(key)).digest();
  return Uint8Array.from(digest.subarray(0, 20)).buffer;
}

function generateKeyPair(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function publicDer(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
