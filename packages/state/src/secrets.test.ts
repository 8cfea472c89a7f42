import { describe, expect, it } from 'vitest'
import { maskSecrets, secretIn, secretsOf } from './secrets.js'

const random = 'q8Zt0LmV3xYb7RkP2wNs'

describe('a URL', () => {
  it.each([
    ['https://ann:pw@host/x.zip', 'a user or a password'],
    ['https://ann@host/x.zip', 'a user or a password'],
    ['https://ann:p/a#s@s@host/x.zip', 'a user or a password'],
    ['ssh://git:pw@host/x.git', 'a user or a password'],
    ['https://host/x.tgz?private_token=abc', 'the parameter "private_token"'],
    ['https://host/x.tgz?private%5Ftoken=abc', 'the parameter "private_token"'],
    ['https://host/x.tgz?a=1&X-Amz-Signature=00ff', 'the parameter "X-Amz-Signature"'],
    ['https://host/x.tgz?sv=1&sig=abc', 'the parameter "sig"'],
    [`https://host/x.tgz?zzz=${random}`, 'the parameter "zzz"'],
    [`https://host/x.tgz?${random}`, 'a query'],
    ['https://host/x.tgz#access_token=abc', 'the parameter "access_token"'],
    [`https://host/ghp_${random}/x.tgz`, 'a token'],
    [`https://host/x.tgz?ref=glpat-${random}`, 'the parameter "ref"'],
  ])('%s holds a secret, which is masked', (url, what) => {
    expect(secretIn(url)).toBe(what)
    const shown = maskSecrets(`git could not get ${url}: no.`)
    expect(shown).not.toMatch(/pw|p\/a|=abc|00ff|ann|q8Zt0/)
    expect(shown).toContain('host')
  })

  it.each([
    'https://host/x.zip?download=1',
    'https://host:8443/x.zip?ref=feature/JIRA-12-some_thing&path=skills/a',
    'https://host/x.zip?job=build-linux',
    'https://host/@scope/name/x.tgz',
    'https://[::1]:80/@x/y.zip',
    'ssh://git@host/x.git',
    `https://host/x.git#${'0f'.repeat(20)}`,
  ])('%s holds none', url => {
    expect(secretIn(url)).toBeUndefined()
    expect(maskSecrets(`No ${url} is there.`)).toBe(`No ${url.replace('git@', '')} is there.`)
  })

  it('is looked at in time that grows with its length', () => {
    for (const text of [
      'https://'.padEnd(1e6, 'a:'),
      'x-'.repeat(5e5),
      `https://h/?${'a-'.repeat(5e5)}`,
      '-----BEGIN PRIVATE KEY-----'.repeat(3e4),
    ])
      expect(maskSecrets(text).length).toBeGreaterThan(0)
  })
})

describe('a text', () => {
  it.each([
    `Bad credentials: ghp_${random}`,
    `github_pat_${random}_x`,
    `sk-proj-${random}`,
    `xoxb-12-${random}`,
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.sig',
    `Authorization: Bearer ${random}`,
    `{"authorization":"Basic ${random}"}`,
    `PRIVATE-TOKEN: ${random}`,
    `//registry.example/:_authToken=${random}`,
    `ACME_API_KEY=${random}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${random}\n-----END RSA PRIVATE KEY-----`,
  ])('with a secret of a known form is masked: %s', text => {
    const shown = maskSecrets(`It said ${text} and more.`)
    expect(shown).toMatch(/It said .*\*\*\*.* and more\./s)
    expect(shown).not.toMatch(/q8Zt0|IOSFODNN|eyJzdWIi/)
  })

  it('with a URL that was taken for a path is masked', () => {
    expect(maskSecrets('The folder /work/http:/ann:pw@host/x is not there.')).toBe(
      'The folder /work/http:/host/x is not there.',
    )
  })

  it('loses given values in each form in which they stand, and no word', () => {
    const value = 'p"w/ä 1'
    const forms = [value, encodeURIComponent(value), JSON.stringify(value), Buffer.from(value).toString('base64')]
    expect(maskSecrets(forms.join(' '), [value, 'in'])).toBe('*** *** "***" ***=')
    const said = 'The token is in the header: basic understanding of authorization is enough, sha512-abc+/= too.'
    expect(maskSecrets(said)).toBe(said)
  })

  it('knows which variables hold secrets', () => {
    const env = {
      GITHUB_TOKEN: 'tttttt',
      AWS_SECRET_ACCESS_KEY: 'kkkkkk',
      SSH_AUTH_SOCK: '/run/x',
      PATH: '/bin',
      PWD: '/x',
      KEYBOARD: 'qwerty',
    }
    expect(secretsOf(env)).toEqual(['tttttt', 'kkkkkk'])
  })
})
