/** Through which proxy a server is reached: the variables, read as Go's net/http reads them for kubectl. */
import { BlockList, isIP } from 'node:net';

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy's URL; undefined when the server is reached directly. */
export function proxyFor(server: string, env: Env): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  // A proxy cannot mean this machine's own loopback.
  if (host === 'localhost' || isLoopback(host)) return undefined;
  const scheme = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(env, scheme);
  const number = port || (protocol === 'https:' ? '443' : '80');
  if (proxy === undefined || isExempt(host, number, variable(env, 'NO_PROXY') ?? '')) {
    return undefined;
  }
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const variable = (env: Env, name: string) => env[name] || env[name.toLowerCase()] || undefined;

const isLoopback = (host: string) =>
  host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

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
  if (family === 0 || !/^\d+$/.test(bits) || isIP(host) !== family) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}

function isNamed(host: string, port: string, entry: string): boolean {
  const [, name = entry, only] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return bare === host;
  const domain = bare.replace(/^\*/, '');
  return domain.startsWith('.')
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`);
}
