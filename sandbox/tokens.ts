/** Bearer tokens: the static ones of a file, and service account tokens of any age. */
import { createPrivateKey, randomBytes, randomUUID, sign } from 'node:crypto';

export interface StaticUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly token: string;
}

export function createToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The file that `--token-auth-file` takes. */
export function tokenFile(users: readonly StaticUser[]): string {
  const line = ({ name, groups = [], token }: StaticUser) =>
    `${token},${name},${name},"${groups.join(',')}"\n`;
  return users.map(line).join('');
}

export interface ServiceAccountClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly expiresAt: Date;
}

/** A token as the API server would issue it, but with any end: the API gives none below ten minutes. */
export function signServiceAccountToken(key: string, claims: ServiceAccountClaims): string {
  const { namespace, name, uid, expiresAt } = claims;
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const issuer = 'https://kubernetes.default.svc';
  const payload = {
    aud: [issuer],
    exp: expires,
    iat: expires - 3600,
    nbf: expires - 3600,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  const content = [{ alg: 'ES256', typ: 'JWT' }, payload].map(encode).join('.');
  const signature = sign('sha256', Buffer.from(content), {
    key: createPrivateKey(key),
    dsaEncoding: 'ieee-p1363',
  });
  return `${content}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
