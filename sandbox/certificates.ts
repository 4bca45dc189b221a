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
import * as der from './der.ts';

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
  const signed = (subject: Buffer, extensions: readonly Buffer[]): Credentials => {
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
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const hour = 3_600_000;
const ecdsaWithSha256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));

function certificate(request: Request, issuer: Buffer, authority: KeyPair): string {
  const now = Date.now();
  // An hour back: the clock of a container may be behind the one of its host.
  const validity = [new Date(now - hour), new Date(now + 365 * 24 * hour)].map(der.time);
  const extensions = [
    ...request.extensions,
    extension('2.5.29.14', der.octets(keyIdentifier(request.publicKey))),
    extension('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier(authority.publicKey)))),
  ];
  const content = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    der.sequence(...validity),
    request.subject,
    publicDer(request.publicKey),
    der.explicit(3, der.sequence(...extensions)),
  );
  const signature = der.bits(sign('sha256', content, authority.privateKey));
  return new X509Certificate(der.sequence(content, ecdsaWithSha256, signature)).toString();
}

/** Kubernetes reads a user's name from the common name (2.5.4.3), groups from organizations (2.5.4.10). */
function distinguishedName(name: string, groups: readonly string[] = []): Buffer {
  const attribute = (id: string, value: string) =>
    der.set(der.sequence(der.oid(id), der.text(value)));
  return der.sequence(
    ...groups.map((group) => attribute('2.5.4.10', group)),
    attribute('2.5.4.3', name),
  );
}

function authorityExtensions(): readonly Buffer[] {
  return [
    extension('2.5.29.19', der.sequence(der.boolean(true)), { critical: true }),
    // digitalSignature, keyCertSign and cRLSign: bits 0, 5 and 6
    extension('2.5.29.15', der.bits(Buffer.of(0b1000_0110), 1), { critical: true }),
  ];
}

function extendedKeyUsage(...purposes: readonly string[]): Buffer {
  return extension('2.5.29.37', der.sequence(...purposes.map(der.oid)));
}

function alternativeNames(names: readonly string[]): Buffer {
  const encoded = names.map((name) =>
    isIP(name) === 4
      ? der.implicit(7, Buffer.from(name.split('.').map(Number)))
      : der.implicit(2, Buffer.from(name)),
  );
  return extension('2.5.29.17', der.sequence(...encoded));
}

function extension(id: string, value: Buffer, { critical = false } = {}): Buffer {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.oid(id), ...flag, der.octets(value));
}

/** Any digest of the key will do; RFC 7093 names the first 160 bits of SHA-256. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha256').update(publicDer(key)).digest().subarray(0, 20);
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
