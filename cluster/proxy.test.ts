import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { proxyFor } from './proxy.ts';

/** As golang.org/x/net/http/httpproxy, which kubectl uses, decides (v0.49.0): server, NO_PROXY, through the proxy or not. */
const decisions: readonly (readonly [string, string, 'proxy' | 'direct'])[] = [
  ['https://api.example.com:6443', '', 'proxy'],
  ['https://localhost:6443', '', 'direct'],
  ['https://sub.localhost', '', 'proxy'],
  ['https://127.0.0.1', '', 'direct'],
  ['https://127.1.2.3', '', 'direct'],
  ['https://[::1]', '', 'direct'],
  ['https://[::ffff:127.0.0.1]', '', 'direct'],
  ['https://[::2]', '', 'proxy'],
  ['https://0.0.0.0', '', 'proxy'],
  ['https://api.example.com', '*', 'direct'],
  ['https://api.example.com', 'other, *', 'direct'],
  ['https://api.example.com', 'example.com', 'direct'],
  ['https://example.com', 'example.com', 'direct'],
  ['https://notexample.com', 'example.com', 'proxy'],
  ['https://api.example.com', '.example.com', 'direct'],
  ['https://example.com', '.example.com', 'proxy'],
  ['https://api.example.com', '*.example.com', 'direct'],
  ['https://example.com', '*.example.com', 'proxy'],
  ['https://api.example.com', '*example.com', 'proxy'],
  ['https://api.example.com', 'api.*', 'proxy'],
  ['https://API.Example.com', 'api.EXAMPLE.com', 'direct'],
  ['https://api.example.com:6443', 'example.com:6443', 'direct'],
  ['https://api.example.com:6443', 'example.com:443', 'proxy'],
  ['https://api.example.com', 'example.com:443', 'direct'],
  ['http://api.example.com', 'example.com:80', 'direct'],
  ['https://api.example.com:6443', '.example.com:6443', 'direct'],
  ['https://api.example.com:6443', '*.example.com:6443', 'direct'],
  ['https://api.example.com', ' example.com , other', 'direct'],
  ['https://api.example.com', 'other example.com', 'proxy'],
  ['https://api.example.com', 'example.com:https', 'proxy'],
  ['https://api.example.com', ':443', 'proxy'],
  ['https://api.example.com', ',,example.com', 'direct'],
  ['https://api.example.com.', 'example.com', 'proxy'],
  ['https://10.1.2.3', '10.0.0.0/8', 'direct'],
  ['https://11.1.2.3', '10.0.0.0/8', 'proxy'],
  ['https://10.1.2.3', '10.0.0.0/33', 'proxy'],
  ['https://10.1.2.3', '10.0.0.0/x', 'proxy'],
  ['https://10.1.2.3', '10.1.2.0/24:443', 'proxy'],
  ['https://10.1.2.3', '10.1.2.3', 'direct'],
  ['https://10.1.2.3:6443', '10.1.2.3:6443', 'direct'],
  ['https://10.1.2.3:6443', '10.1.2.3:443', 'proxy'],
  ['https://10.1.2.3', '.3', 'proxy'],
  ['https://10.1.2.3', '1.2.3', 'proxy'],
  ['https://api.example.com', '10.0.0.0/8', 'proxy'],
  ['https://[2001:db8::1]:6443', '2001:db8::1', 'direct'],
  ['https://[2001:db8::1]:6443', '2001:0db8:0:0::1', 'direct'],
  ['https://[2001:db8::1]:6443', '[2001:db8::1]:6443', 'direct'],
  ['https://[2001:db8::1]:6443', '[2001:db8::1]:443', 'proxy'],
  ['https://[2001:db8::1]:6443', '[2001:db8::1]', 'proxy'],
  ['https://[2001:db8::1]:6443', '2001:db8::/32', 'direct'],
  ['https://[2001:db9::1]:6443', '2001:db8::/32', 'proxy'],
  ['https://10.1.2.3', '2001:db8::/32', 'proxy'],
  ['https://[::ffff:10.1.2.3]', '10.0.0.0/8', 'direct'],
  ['https://10.1.2.3', '::ffff:10.1.2.3', 'direct'],
  ['https://bücher.example', 'bücher.example', 'direct'],
];

describe('proxyFor', () => {
  for (const [server, noProxy, expected] of decisions) {
    const way = expected === 'direct' ? 'reaches directly' : 'reaches through the proxy';
    it(`${way} ${server} where NO_PROXY is '${noProxy}'`, () => {
      const proxy = 'http://proxy.example.com:3128';
      const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: noProxy };
      assert.equal(proxyFor(server, env), expected === 'proxy' ? proxy : undefined);
    });
  }

  it('has a variable for each scheme', () => {
    const env = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:1' };
    assert.equal(proxyFor('https://api.example.com', env), 'http://secure:1');
    assert.equal(proxyFor('http://api.example.com', env), 'http://plain:1');
    assert.equal(proxyFor('https://api.example.com', { HTTP_PROXY: 'http://plain:1' }), undefined);
  });

  it('reads variables in small letters where those in capitals are absent or empty', () => {
    const env = { https_proxy: 'http://small:1', HTTPS_PROXY: '', no_proxy: 'example.org' };
    assert.equal(proxyFor('https://api.example.com', env), 'http://small:1');
    assert.equal(proxyFor('https://api.example.org', env), undefined);
    const both = { ...env, HTTPS_PROXY: 'http://capitals:1' };
    assert.equal(proxyFor('https://api.example.com', both), 'http://capitals:1');
  });

  it('takes an address without a scheme for one of http', () => {
    const env = { HTTPS_PROXY: 'proxy.example.com:3128' };
    assert.equal(proxyFor('https://api.example.com', env), 'http://proxy.example.com:3128');
  });
});
