/** Through which proxy a server is reached: the variables, read as Go's net/http reads them for kubectl. */
import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy's URL; undefined when the server is reached directly. */
export function proxyFor(server: string, env: Env): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, '');
  // A proxy cannot mean this machine's own loopback.
  if (host === 'localhost' || inRange(host, '127.0.0.0/8') || inRange(host, '::1/128')) {
    return undefined;
  }
  const scheme = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(env, scheme);
  const number = port || (protocol === 'https:' ? '443' : '80');
  if (proxy === undefined || isExempt(host, number, variable(env, 'NO_PROXY') ?? '')) {
    return undefined;
  }
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const variable = (env: Env, name: string) => env[name] || env[name.toLowerCase()] || undefined;

/** Entries: `*`, an address, a CIDR, `host` with its subdomains, `.host` for these alone; with or without port. */
function isExempt(host: string, port: string, list: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .some(
      (entry) =>
        entry === '*' || (entry.includes('/') ? inRange(host, entry) : isNamed(host, port, entry)),
    );
}

function inRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network);
  if (family === 0 || !/^\d+$/.test(bits) || isIP(host) === 0) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), typeOf(network));
  return list.check(host, typeOf(host));
}

const typeOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function isNamed(host: string, port: string, entry: string): boolean {
  const [, bracketed, plain, only] = /^(?:\[(.+)\]|([^:]+)):([^:]*)$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  if (only && only !== port) return false;
  // Addresses are compared as such, however they are written; a domain is no part of an address.
  if (isIP(name)) return inRange(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  if (isIP(host)) return false;
  const domain = domainToASCII(name.replace(/^\*\./, '.')) || name;
  return domain.startsWith('.')
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`);
}
