import { describe, expect, it } from 'vitest'
import { gitSourceText, parseSource, splitSkill, type GitSource } from './source.js'

const from = { cwd: '/work', home: '/home/ann', platform: 'linux' } as const
const parse = (text: string): unknown => parseSource(text, from)
const git = (url: string, place: Omit<GitSource, 'type' | 'url'> = {}): GitSource => ({ type: 'git', url, ...place })
const tools = 'https://github.com/acme/tools.git'
const lab = 'https://gitlab.com/acme/web/tools.git'
const bucket = 'https://bitbucket.org/acme/tools.git'
const berg = 'https://codeberg.org/acme/tools.git'
const own = 'https://git.acme.example/acme/tools.git'
const azure = 'https://dev.azure.com/acme/My%20Project/_git/tools'
const id = '0123456789abcdef0123456789abcdef01234567'
const pdf = { tail: ['main', 'skills', 'pdf'] }
const inMain = { ref: 'main' }

/** Addresses as people copy them, and what each names. */
const addresses: readonly (readonly [text: string, source: object])[] = [
  // GitHub
  ['https://github.com/acme/tools', git(tools)],
  ['https://github.com/acme/tools/', git(tools)],
  ['http://github.com/acme/tools', git(tools)],
  ['HTTPS://GitHub.com/acme/tools', git(tools)],
  ['https://www.github.com/acme/tools', git(tools)],
  ['github.com/acme/tools', git(tools)],
  ['www.github.com/acme/tools', git(tools)],
  ['github.com/acme/tools/', git(tools)],
  ['https://github.com/acme/tools.git', git(tools)],
  ['github.com/acme/tools.git', git(tools)],
  ['https://github.com/acme/tools.git/skills/pdf#v1', git(tools, { ref: 'v1', path: 'skills/pdf' })],
  ['https://github.com/acme/tools#v1', git(tools, { ref: 'v1' })],
  ['https://github.com/acme/tools?tab=readme-ov-file', git(tools)],
  ['https://github.com/acme/tools/tree/main', git(tools, inMain)],
  ['https://github.com/acme/tools/tree/main/', git(tools, inMain)],
  ['https://github.com/acme/tools/tree/HEAD/skills/pdf', git(tools, { path: 'skills/pdf' })],
  ['https://github.com/acme/tools/tree/HEAD', git(tools)],
  ['https://github.com/acme/tools/tree', git(tools)],
  ['https://github.com/acme/tools/tree/main/skills/pdf', git(tools, pdf)],
  ['https://github.com/acme/tools/tree/main/skills/pdf/', git(tools, pdf)],
  ['https://github.com/acme/tools/tree/main/skills/pdf#usage', git(tools, pdf)],
  ['https://github.com/acme/tools/tree/main/skills/pdf?tab=readme-ov-file', git(tools, pdf)],
  ['github.com/acme/tools/tree/main/skills/pdf', git(tools, pdf)],
  ['https://github.com/acme/tools.git/tree/main/skills/pdf', git(tools, pdf)],
  ['https://github.com/acme/tools/tree/feature/x/skills/pdf', git(tools, { tail: ['feature', 'x', 'skills', 'pdf'] })],
  ['https://github.com/acme/tools/tree/feature%2Fx/skills/pdf', git(tools, { tail: ['feature/x', 'skills', 'pdf'] })],
  ['https://github.com/acme/tools/tree/main/my%20skills/pdf', git(tools, { tail: ['main', 'my skills', 'pdf'] })],
  [`https://github.com/acme/tools/tree/${id}/skills/pdf`, git(tools, { ref: id, path: 'skills/pdf' })],
  ['https://github.com/acme/tools/tree/v1.2.0/skills', git(tools, { tail: ['v1.2.0', 'skills'] })],
  ['https://github.com/acme/tools/tree/refs/heads/main/skills/pdf', git(tools, pdf)],
  ['https://github.com/acme/tools/blob/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://github.com/acme/tools/blob/main/skills/pdf/SKILL.md#L3-L9', git(tools, pdf)],
  ['https://github.com/acme/tools/blob/main/skills/pdf/SKILL.md?plain=1#L3', git(tools, pdf)],
  ['https://github.com/acme/tools/blob/main/skills/pdf/skill.md', git(tools, pdf)],
  ['https://github.com/acme/tools/blob/main/SKILL.md', git(tools, inMain)],
  ['https://github.com/acme/tools/raw/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://github.com/acme/tools/raw/refs/heads/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://github.com/acme/tools/edit/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://github.com/acme/tools/blame/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://github.com/acme/tools/tree/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://github.com/acme/tools/commit/' + id, git(tools, { ref: id })],
  ['https://github.com/acme/tools/releases/tag/v1.2.0', git(tools, { ref: 'v1.2.0' })],
  ['https://github.com/acme/tools/releases/tag/cli/v1', git(tools, { ref: 'cli/v1' })],
  ['https://raw.githubusercontent.com/acme/tools/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://raw.githubusercontent.com/acme/tools/refs/heads/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['raw.githubusercontent.com/acme/tools/main/skills/pdf/SKILL.md', git(tools, pdf)],
  ['https://raw.githubusercontent.com/acme/tools/HEAD/skills/pdf/SKILL.md', git(tools, { path: 'skills/pdf' })],
  [`https://raw.githubusercontent.com/acme/tools/${id}/SKILL.md`, git(tools, { ref: id })],
  ['https://codeload.github.com/acme/tools/zip/refs/heads/main', git(tools, inMain)],
  ['https://codeload.github.com/acme/tools/tar.gz/refs/tags/v1', git(tools, { ref: 'v1' })],
  ['https://gist.github.com/ann/0123456789abcdef', git('https://gist.github.com/0123456789abcdef.git')],
  ['https://gist.github.com/0123456789abcdef', git('https://gist.github.com/0123456789abcdef.git')],
  [
    'https://github.com/acme/tools/releases/download/v1/pdf.skill',
    { type: 'archive', at: 'https://github.com/acme/tools/releases/download/v1/pdf.skill' },
  ],
  [
    'https://github.com/acme/tools/archive/refs/heads/main.zip',
    { type: 'archive', at: 'https://github.com/acme/tools/archive/refs/heads/main.zip' },
  ],
  [
    'https://github.com/acme/tools/blob/main/dist/pdf.skill',
    { type: 'archive', at: 'https://github.com/acme/tools/raw/main/dist/pdf.skill' },
  ],
  [
    'https://raw.githubusercontent.com/acme/tools/main/dist/pdf.skill',
    { type: 'archive', at: 'https://raw.githubusercontent.com/acme/tools/main/dist/pdf.skill' },
  ],
  ['github:acme/tools', git(tools)],
  ['github:acme/tools#v1', git(tools, { ref: 'v1' })],
  ['github:acme/tools/skills/pdf#v1', git(tools, { ref: 'v1', path: 'skills/pdf' })],
  ['github:acme/tools.git', git(tools)],
  ['gist:0123456789abcdef', git('https://gist.github.com/0123456789abcdef.git')],
  ['acme/tools', git(tools)],
  ['acme/tools.git', git(tools)],
  ['acme/tools/skills/pdf', git(tools, { path: 'skills/pdf' })],
  ['acme/tools/skills/pdf#feature/x', git(tools, { ref: 'feature/x', path: 'skills/pdf' })],
  ['acme/tools.js', git('https://github.com/acme/tools.js.git')],
  ['https://skills.sh/acme/tools', git(tools)],
  ['https://skills.sh/acme/tools/pdf', git(tools)],
  // GitLab
  ['https://gitlab.com/acme/tools', git('https://gitlab.com/acme/tools.git')],
  ['https://gitlab.com/acme/web/tools', git(lab)],
  ['https://gitlab.com/acme/web/tools/', git(lab)],
  ['gitlab.com/acme/web/tools', git(lab)],
  ['http://gitlab.com/acme/web/tools', git(lab)],
  ['https://www.gitlab.com/acme/web/tools', git(lab)],
  ['https://gitlab.com/acme/web/tools.git', git(lab)],
  ['https://gitlab.com/acme/web/tools.git#v1', git(lab, { ref: 'v1' })],
  ['https://gitlab.com/acme/web/ui/tools', git('https://gitlab.com/acme/web/ui/tools.git')],
  ['https://gitlab.com/acme/web/tools/-/tree/main', git(lab, inMain)],
  ['https://gitlab.com/acme/web/tools/-/tree/main?ref_type=heads', git(lab, inMain)],
  ['https://gitlab.com/acme/web/tools/-/tree/main/skills/pdf', git(lab, pdf)],
  ['https://gitlab.com/acme/web/tools/-/tree/main/skills/pdf?ref_type=heads', git(lab, pdf)],
  ['https://gitlab.com/acme/web/tools/-/blob/main/skills/pdf/SKILL.md', git(lab, pdf)],
  ['https://gitlab.com/acme/web/tools/-/blob/main/skills/pdf/SKILL.md?ref_type=heads#L4', git(lab, pdf)],
  ['https://gitlab.com/acme/web/tools/-/raw/main/skills/pdf/SKILL.md', git(lab, pdf)],
  ['https://gitlab.com/acme/web/tools/-/raw/main/skills/pdf/SKILL.md?inline=false', git(lab, pdf)],
  ['https://gitlab.com/acme/web/tools/-/tree/feature/x/skills', git(lab, { tail: ['feature', 'x', 'skills'] })],
  [`https://gitlab.com/acme/web/tools/-/tree/${id}/skills`, git(lab, { ref: id, path: 'skills' })],
  ['https://gitlab.com/acme/web/tools/tree/main/skills/pdf', git(lab, pdf)],
  ['https://gitlab.com/acme/tools/blob/main/skills/pdf/SKILL.md', git('https://gitlab.com/acme/tools.git', pdf)],
  [
    'https://gitlab.com/acme/web/tools/-/archive/main/tools-main.tar.gz',
    { type: 'archive', at: 'https://gitlab.com/acme/web/tools/-/archive/main/tools-main.tar.gz' },
  ],
  ['gitlab:acme/web/tools', git(lab)],
  ['gitlab:acme/tools#v1', git('https://gitlab.com/acme/tools.git', { ref: 'v1' })],
  // Bitbucket
  ['https://bitbucket.org/acme/tools', git(bucket)],
  ['https://bitbucket.org/acme/tools/', git(bucket)],
  ['bitbucket.org/acme/tools', git(bucket)],
  ['https://bitbucket.org/acme/tools/src', git(bucket)],
  ['https://bitbucket.org/acme/tools/src/main', git(bucket, inMain)],
  ['https://bitbucket.org/acme/tools/src/main/', git(bucket, inMain)],
  ['https://bitbucket.org/acme/tools/src/main/skills/pdf', git(bucket, pdf)],
  ['bitbucket.org/acme/tools/src/main/skills/pdf', git(bucket, pdf)],
  ['https://bitbucket.org/acme/tools/src/main/skills/pdf/SKILL.md', git(bucket, pdf)],
  [`https://bitbucket.org/acme/tools/src/${id}/skills/pdf`, git(bucket, { ref: id, path: 'skills/pdf' })],
  [
    `https://bitbucket.org/acme/tools/src/${id}/skills/pdf/?at=feature%2Fx`,
    git(bucket, { ref: 'feature/x', path: 'skills/pdf' }),
  ],
  ['https://bitbucket.org/acme/tools/raw/main/skills/pdf/SKILL.md', git(bucket, pdf)],
  ['bitbucket:acme/tools', git(bucket)],
  ['git@bitbucket.org:acme/tools.git', git('git@bitbucket.org:acme/tools.git')],
  [
    'https://stash.acme.example/projects/WEB/repos/tools/browse/skills/pdf?at=refs%2Fheads%2Fmain',
    git('https://stash.acme.example/scm/web/tools.git', { ref: 'main', path: 'skills/pdf' }),
  ],
  ['https://stash.acme.example/projects/WEB/repos/tools/browse', git('https://stash.acme.example/scm/web/tools.git')],
  ['https://stash.acme.example/scm/web/tools.git', git('https://stash.acme.example/scm/web/tools.git')],
  // Gitea, Forgejo
  ['https://codeberg.org/acme/tools', git(berg)],
  ['codeberg.org/acme/tools', git(berg)],
  ['https://codeberg.org/acme/tools.git', git(berg)],
  ['https://codeberg.org/acme/tools/src/branch/main', git(berg, inMain)],
  ['https://codeberg.org/acme/tools/src/branch/main/skills/pdf', git(berg, pdf)],
  ['https://codeberg.org/acme/tools/src/branch/main/skills/pdf/SKILL.md', git(berg, pdf)],
  ['https://codeberg.org/acme/tools/src/branch/main/skills/pdf/SKILL.md?display=source#L2', git(berg, pdf)],
  ['https://codeberg.org/acme/tools/raw/branch/main/skills/pdf/SKILL.md', git(berg, pdf)],
  ['https://codeberg.org/acme/tools/src/tag/v1/skills', git(berg, { tail: ['v1', 'skills'] })],
  [`https://codeberg.org/acme/tools/src/commit/${id}/skills`, git(berg, { ref: id, path: 'skills' })],
  ['https://gitea.com/acme/tools/src/branch/main/skills/pdf', git('https://gitea.com/acme/tools.git', pdf)],
  ['https://codeberg.org/acme/tools/releases/tag/v1', git(berg, { ref: 'v1' })],
  ['https://gitee.com/acme/tools/tree/main/skills/pdf', git('https://gitee.com/acme/tools.git', pdf)],
  ['https://gitee.com/acme/tools', git('https://gitee.com/acme/tools.git')],
  // Azure DevOps
  ['https://dev.azure.com/acme/My%20Project/_git/tools', git(azure)],
  ['dev.azure.com/acme/My%20Project/_git/tools', git(azure)],
  ['https://acme@dev.azure.com/acme/My%20Project/_git/tools', git(azure)],
  ['https://dev.azure.com/acme/My%20Project/_git/tools?path=/skills/pdf', git(azure, { path: 'skills/pdf' })],
  [
    'https://dev.azure.com/acme/My%20Project/_git/tools?path=%2Fskills%2Fpdf&version=GBmain',
    git(azure, { ref: 'main', path: 'skills/pdf' }),
  ],
  [
    'https://dev.azure.com/acme/My%20Project/_git/tools?path=/skills/pdf/SKILL.md&version=GBmain&_a=contents',
    git(azure, { ref: 'main', path: 'skills/pdf' }),
  ],
  ['https://dev.azure.com/acme/My%20Project/_git/tools?version=GTv1', git(azure, { ref: 'v1' })],
  [`https://dev.azure.com/acme/My%20Project/_git/tools?version=GC${id}`, git(azure, { ref: id })],
  ['https://dev.azure.com/acme/_git/tools', git('https://dev.azure.com/acme/_git/tools')],
  ['https://acme.visualstudio.com/Web/_git/tools', git('https://acme.visualstudio.com/Web/_git/tools')],
  [
    'https://tfs.acme.example/tfs/Main/Web/_git/tools?path=/skills',
    git('https://tfs.acme.example/tfs/Main/Web/_git/tools', { path: 'skills' }),
  ],
  ['git@ssh.dev.azure.com:v3/acme/web/tools', git('git@ssh.dev.azure.com:v3/acme/web/tools')],
  // SourceHut
  ['https://git.sr.ht/~ann/tools', git('https://git.sr.ht/~ann/tools')],
  ['https://git.sr.ht/~ann/tools/tree', git('https://git.sr.ht/~ann/tools')],
  ['https://git.sr.ht/~ann/tools/tree/feature/x', git('https://git.sr.ht/~ann/tools', { ref: 'feature/x' })],
  [
    'https://git.sr.ht/~ann/tools/tree/main/item/skills/pdf/SKILL.md',
    git('https://git.sr.ht/~ann/tools', { ref: 'main', path: 'skills/pdf' }),
  ],
  // Servers of a company
  ['https://git.acme.example/acme/tools.git', git(own)],
  ['git.acme.example/acme/tools.git', git(own)],
  ['https://git.acme.example:8443/acme/tools.git', git('https://git.acme.example:8443/acme/tools.git')],
  ['https://git.acme.example/acme/tools/tree/main/skills/pdf', git(own, pdf)],
  ['https://git.acme.example/acme/tools/blob/main/skills/pdf/SKILL.md', git(own, pdf)],
  ['https://git.acme.example/acme/tools/src/branch/main/skills/pdf', git(own, pdf)],
  ['https://git.acme.example/acme/tools/-/tree/main/skills/pdf', git(own, pdf)],
  ['https://git.acme.example/acme/web/tools/-/tree/main', git('https://git.acme.example/acme/web/tools.git', inMain)],
  ['https://git.acme.example/acme/tools/-/blob/main/SKILL.md', git(own, inMain)],
  ['https://git.acme.example/acme/tools', { type: 'site', url: 'https://git.acme.example/acme/tools' }],
  ['git.acme.example/acme/tools', { type: 'site', url: 'https://git.acme.example/acme/tools' }],
  ['https://acme.example', { type: 'site', url: 'https://acme.example' }],
  ['https://acme.example/docs/guide', { type: 'site', url: 'https://acme.example/docs/guide' }],
  ['git+https://git.acme.example/acme/tools', git('https://git.acme.example/acme/tools')],
  [
    'git+https://git.acme.example/acme/tools//skills/pdf#v1',
    git('https://git.acme.example/acme/tools', { ref: 'v1', path: 'skills/pdf' }),
  ],
  ['git+ssh://git@git.acme.example:2222/acme/tools.git', git('ssh://git@git.acme.example:2222/acme/tools.git')],
  // Over ssh
  ['git@github.com:acme/tools.git', git('git@github.com:acme/tools.git')],
  ['git@github.com:acme/tools', git('git@github.com:acme/tools')],
  ['git@gitlab.com:acme/web/tools.git#v1', git('git@gitlab.com:acme/web/tools.git', { ref: 'v1' })],
  ['git@git.acme.example:~ann/tools.git', git('git@git.acme.example:~ann/tools.git')],
  ['ssh://git@github.com/acme/tools.git', git('ssh://git@github.com/acme/tools.git')],
  ['ssh://git@git.acme.example:2222/acme/tools.git', git('ssh://git@git.acme.example:2222/acme/tools.git')],
  // Folders and archives
  ['.', { type: 'folder', path: '/work' }],
  ['..', { type: 'folder', path: '/' }],
  ['~', { type: 'folder', path: '/home/ann' }],
  ['./tools', { type: 'folder', path: '/work/tools' }],
  ['~/tools/', { type: 'folder', path: '/home/ann/tools' }],
  ['/srv/tools', { type: 'folder', path: '/srv/tools' }],
  ['file:///srv/tools.git', git('file:///srv/tools.git')],
  ['https://files.example/tools.tar.gz', { type: 'archive', at: 'https://files.example/tools.tar.gz' }],
]

/** Addresses that name no skills, and the address that the refusal proposes. */
const refusals: readonly (readonly [text: string, nearest: string])[] = [
  ['https://github.com/acme', ''],
  ['https://github.com', ''],
  ['https://github.com/acme/tools/issues/12', 'https://github.com/acme/tools'],
  ['https://github.com/acme/tools/pull/12', 'https://github.com/acme/tools'],
  ['https://github.com/acme/tools/wiki', 'https://github.com/acme/tools'],
  ['https://github.com/acme/tools/blob/main/README.md', 'https://github.com/acme/tools.git'],
  ['https://github.com/acme/tools/blob/main/skills/pdf/reference.md', 'https://github.com/acme/tools.git'],
  ['https://github.com/acme/tools?foo=main', 'https://github.com/acme/tools'],
  ['https://github.com/acme/tools?path=skills/pdf', 'https://github.com/acme/tools'],
  ['https://github.com/acme/tools/tree/main/skills?at=v1', 'https://github.com/acme/tools/tree/main/skills'],
  ['https://gitlab.com/acme/tools?version=GBmain', 'https://gitlab.com/acme/tools'],
  ['https://codeberg.org/acme/tools/src/branch/main?h=v1', 'https://codeberg.org/acme/tools/src/branch/main'],
  ['https://github.com/acme/tools/tree/a%ZZ/x', ''],
  ['https://github.com/acme/tools/tree/main/..%2f..%2fx', ''],
  ['https://gitlab.com/acme/web/tools/-/merge_requests/3', 'https://gitlab.com/acme/web/tools'],
  ['https://gitlab.com/acme', ''],
  ['https://dev.azure.com/acme/web', ''],
  ['https://dev.azure.com/acme/web/_git', ''],
  ['https://dev.azure.com/acme/web/_git/tools?version=XXmain', 'https://dev.azure.com/acme/web/_git/tools'],
  ['https://ann@dev.azure.com/acme/web/_git/tools', ''],
  ['https://bitbucket.org/acme/tools/pull-requests/3', 'https://bitbucket.org/acme/tools'],
  ['https://codeberg.org/acme/tools/issues', 'https://codeberg.org/acme/tools'],
  ['https://git.sr.ht/~ann/tools/log', 'https://git.sr.ht/~ann/tools'],
  ['https://raw.githubusercontent.com/acme/tools/main/README.md', 'https://github.com/acme/tools.git'],
  ['https://skills.sh/acme/tools/pdf/security', ''],
  ['git://github.com/acme/tools.git', 'https://github.com/acme/tools.git'],
  ['github.com:acme/tools.git', 'git@github.com:acme/tools.git'],
  ['git clone https://github.com/acme/tools.git', 'https://github.com/acme/tools.git'],
  ['npx skills add acme/tools', 'acme/tools'],
  ['acme/tools/tree/main/skills/pdf', 'https://github.com/acme/tools/tree/main/skills/pdf'],
  ['acme/tools@pdf', 'acme/tools'],
  ['C:\\tools', 'C:/tools'],
  ['C:/tools', 'C:/tools'],
  ['..\\tools', '../tools'],
  ['.\\tools\\pdf', './tools/pdf'],
  ['\\\\server\\share\\tools', '//server/share/tools'],
]

describe('the address of a page of a forge', () => {
  it.each(addresses)('%s', (text, source) => expect(parse(text)).toEqual(source))

  it.each(refusals)('%s is refused, with the nearest address', (text, nearest) => {
    let refusal: unknown
    try {
      parse(text)
    } catch (error) {
      refusal = error
    }
    const hint = expect.stringContaining(nearest === '' ? '' : `Write ${nearest}.`) as string
    expect(refusal).toMatchObject({ code: 'E_INSTALL_SOURCE', hint })
  })

  it('on Windows, paths may have its separators', () => {
    const windows = { ...from, platform: 'win32' } as const
    for (const text of ['..\\tools', '.\\tools', 'C:\\tools', '\\\\server\\share'])
      expect(parseSource(text, windows)).toMatchObject({ type: 'folder' })
  })

  it('becomes a text that names the same repository, ref and folder', () => {
    for (const [text, source] of addresses) {
      const one = source as GitSource
      if (one.type !== 'git' || one.tail !== undefined) continue
      expect(parse(gitSourceText(one)), text).toEqual(one)
    }
  })
})

describe('one skill of a repository', () => {
  it.each([
    ['acme/tools@pdf', { text: 'acme/tools', skill: 'pdf' }],
    ['acme/tools', { text: 'acme/tools' }],
    ['skills.sh/acme/tools/pdf', { text: 'skills.sh/acme/tools/pdf', skill: 'pdf' }],
    ['https://github.com/acme/tools', { text: 'https://github.com/acme/tools' }],
    ['git@github.com:acme/tools', { text: 'git@github.com:acme/tools' }],
    ['npm:@acme/tools@1', { text: 'npm:@acme/tools@1' }],
    ['plugin:docs@acme/tools', { text: 'plugin:docs@acme/tools' }],
  ])('%s', (text, parts) => expect(splitSkill(text)).toEqual(parts))
})
