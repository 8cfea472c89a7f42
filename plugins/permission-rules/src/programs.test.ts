import { describe, expect, it } from 'vitest'
import { asking, script, shortly } from '../test/asking.js'

describe('a prefix rule', () => {
  const covered: readonly (readonly [rule: string, script: string])[] = [
    ['find:*', 'find . -name x'],
    ['find:*', 'find src -type f -maxdepth 2'],
    ['sed:*', "sed -n '1,5p' f"],
    ['sed:*', "sed 's/a/b/g;s|c|d|' f"],
    ['awk:*', "awk '{print $2}' f"],
    ['git:*', 'git log -5'],
    ['git:*', 'git --no-pager diff'],
    ['git log:*', 'git log --oneline'],
    ['npm:*', 'npm ls'],
    ['npm run build:*', 'npm run build'],
    ['sort:*', 'sort -k2 f'],
    ['npx prettier:*', 'npx prettier --check x'],
    ['timeout 5 git log:*', 'timeout 5 git log -1'],
    ['git log:*', 'timeout 5 git log'],
    ['python x.py:*', 'python x.py --all'],
    ['make build:*', 'make build'],
    ['tar:*', 'tar tzf a.tgz'],
    ['curl:*', 'curl -fsSL https://example.com'],
    ['ls:*', 'ls *'],
    ['bash run.sh:*', 'bash run.sh x'],
    ['python:*', 'python --version'],
    ['xargs:*', 'xargs'],
    ['python:*', 'python x.py'],
    ['python:*', 'timeout 5 python -u x.py a'],
    ['python:*', 'python -m pytest'],
    ['node:*', 'node x.js'],
    ['bash:*', 'bash x.sh'],
    ['npm:*', 'npm test'],
    ['npm:*', 'npm run build'],
    ['pnpm:*', 'pnpm install x'],
    ['make:*', 'make'],
    ['make:*', 'make x'],
    ['make build:*', 'make build x'],
    ['go:*', 'go run .'],
    ['cargo:*', 'cargo run'],
    ['kubectl:*', 'kubectl apply -f x'],
    ['kubectl get:*', 'kubectl get pods -n web -o json'],
    ['git log:*', 'git log --since=yesterday --format=%h -- src'],
    ['npm install:*', 'npm install --save-dev react@18'],
    ['prettier --write:*', 'prettier --write src/*.ts'],
    ['mytool build --fast:*', 'mytool build --fast'],
    ['python:*', 'python -m pytest tests -k a'],
    ['gh pr view:*', 'gh pr view 12 --json title'],
  ]
  it.each(covered)('Bash(%s) covers %s', async (rule, one) => {
    expect(await shortly(await asking({ allow: [`Bash(${rule})`] }), script(one))).toBe(`allow Bash(${rule})`)
  })

  it('covers what a pipe feeds to a program that is known, and to no other', async () => {
    const rules = ['echo', 'wc', 'mytool', 'irb', 'openssl', 'patch', 'nice mytool'].map(name => `Bash(${name}:*)`)
    const asked = await asking({ allow: rules })
    for (const one of ['echo x | wc -l', 'mytool && echo x', 'mytool | wc -l', 'echo x; mytool'])
      expect(await asked.check(script(one)), one).toMatchObject({ behavior: 'allow' })
    for (const one of ['mytool', 'irb', 'openssl', 'patch', 'nice mytool', 'wc | mytool'])
      expect(await asked.check(script(`echo x | ${one}`)), one).toMatchObject({ behavior: 'ask' })
  })

  const others: readonly (readonly [rule: string, script: string])[] = [
    ['find:*', "find . -exec rm -rf '{}' ';'"],
    ['find:*', 'find . -delete'],
    ['find .:*', 'find . -fprint f'],
    ['find:*', 'find . -[e]xec rm'],
    ['find:*', 'find *'],
    ['xargs:*', 'xargs rm'],
    ['env:*', 'env rm x'],
    ['nice:*', 'nice rm x'],
    ['timeout:*', 'timeout 5 rm x'],
    ['sudo:*', 'sudo rm x'],
    ['ssh:*', 'ssh host rm x'],
    ['git:*', 'git -c core.pager=id log'],
    ['git:*', 'git --exec-path=/x log'],
    ['git log:*', 'git log --output=f'],
    ['git:*', 'git rebase --exec id main'],
    ['git rebase:*', 'git rebase -x id main'],
    ['git:*', 'git bisect run id'],
    ['git:*', 'git submodule foreach id'],
    ['git:*', "git config alias.x '!id'"],
    ['git:*', 'git -C sub status'],
    ['git:*', 'git x'],
    ['git grep:*', 'git grep -Oid x'],
    ['tar:*', 'tar xf a --to-command=id'],
    ['tar:*', 'tar tf a --to-com=id'],
    ['tar:*', 'tar tf a -I id'],
    ['tar:*', 'tar xf a'],
    ['sed:*', 'sed -i s/a/b/ f'],
    ['sed:*', 'sed -ni p f'],
    ['sed:*', "sed '1e id' f"],
    ['sed:*', 'sed s/a/id/e f'],
    ['sed:*', "sed 'w out' f"],
    ['sed:*', 'sed -f x f'],
    ['awk:*', "awk 'BEGIN{system(1)}'"],
    ['awk:*', "awk '{print > 1}' f"],
    ['awk:*', 'awk -f x f'],
    ['python:*', 'python -c x'],
    ['python -c:*', 'python -c x'],
    ['node:*', 'node -e x'],
    ['perl:*', 'perl -pe x'],
    ['npm:*', 'npm exec x'],
    ['npm exec:*', 'npm exec x'],
    ['npx:*', 'npx x'],
    ['uv:*', 'uv run x'],
    ['uv run:*', 'uv run x'],
    ['make build:*', 'make build SHELL=id'],
    ['parallel:*', 'parallel id'],
    ['busybox:*', 'busybox rm x'],
    ['setsid:*', 'setsid rm x'],
    ['flock:*', 'flock f rm x'],
    ['chroot:*', 'chroot / rm x'],
    ['kubectl exec:*', 'kubectl exec pod rm x'],
    ['docker:*', 'docker run image rm x'],
    ['sort:*', 'sort -o f x'],
    ['sort:*', 'sort --compress-prog=id x'],
    ['curl:*', 'curl -so f x'],
    ['curl:*', 'curl -K f'],
    ['tee:*', 'tee f'],
    ['dd:*', 'dd of=f'],
    ['wget:*', 'wget x'],
    ['rsync:*', 'rsync -e id a b'],
    ['split:*', 'split --filter=id f'],
    ['zip:*', 'zip -T -TT id a b'],
    ['vim:*', 'vim -c x'],
    ['xargs git log:*', 'xargs git'],
    ['git:*', 'xargs git'],
    ['nice:*', 'nice timeout 5 find . -delete'],
    ['find:*', 'timeout 5 find . -delete'],
    ['test:*', "test -v 'a[$(id)]'"],
    ['uniq:*', 'uniq a b'],
    ['less:*', 'less +x f'],
    ['gcc:*', 'gcc -wrapper id x.c'],
    ['bash:*', 'bash'],
    ['timeout:*', 'timeout 5 python x.py'],
    ['python:*', 'python -'],
    ['python:*', 'python /dev/stdin'],
    ['bash:*', 'bash ../../proc/self/fd/0'],
    ['python:*', 'python --some x.py'],
    ['bash:*', 'bash -c x'],
    ['bash:*', 'bash -s x'],
    ['node:*', 'node -r x y'],
    ['make:*', 'make -f x'],
    ['make:*', 'make SHELL=id'],
    ['pnpm:*', 'pnpm x'],
    ['yarn:*', 'yarn x'],
    ['gh:*', 'gh x'],
    ['ldd:*', 'ldd x'],
    ['mise:*', 'mise exec x'],
    ['uv:*', 'uv tool run x'],
    ['docker:*', 'docker exec a id'],
    ['ssh:*', 'ssh'],
    ['cd:*', 'cd x && cd y'],
    ['git log:*', 'git log > f'],
    ['git log:*', 'git log 2> f'],
    ['git log:*', 'git log &> f'],
    ['git log:*', 'git log | tee f'],
    ['git log:*', 'git log & git log'],
    ['kubectl get:*', 'kubectl get pods --kubeconfig=./x'],
    ['kubectl:*', 'kubectl plugged in'],
    ['npm view:*', 'npm view github:a/b --git=./x'],
    ['npm run build:*', 'npm run build --prefix ../x'],
    ['npm run build:*', 'npm run build -- x'],
    ['npm install:*', 'npm install ./x'],
    ['apt-cache policy:*', 'apt-cache policy bash -o Dir::Bin::dpkg=./x'],
    ['diff3:*', 'diff3 --diff-program=./x a b c'],
    ['pandoc:*', 'pandoc -L x.lua a.md'],
    ['pandoc:*', 'pandoc -t ./x.lua a.md'],
    ['eslint:*', 'eslint -f ./x.js .'],
    ['eslint:*', 'eslint ../x'],
    ['gh repo clone:*', 'gh repo clone a/b -- -c core.pager=x'],
    ['git log:*', 'git log --outp=f'],
    ['git log:*', "git log '--format=%G?'"],
    ['git push:*', 'git push ./x main'],
    ['git fetch:*', 'git fetch ext::id'],
    ['rg:*', 'rg --pre id x'],
    ['rg:*', 'rg --pret x'],
    ['man:*', 'man -P id ls'],
    ['docker ps:*', 'docker ps --frobnicate=id'],
    ['helm template:*', 'helm template . --post-renderer ./x'],
    ['go:*', 'go run example.com/x@latest'],
    ['python:*', 'python -m mymodule'],
    ['python:*', 'python -m pdb x.py'],
    ['npx:*', 'npx prettier x'],
    ['logsave:*', 'logsave f id'],
    ['mytool:*', 'mytool x'],
    ['mytool build:*', 'mytool build --exec=id'],
    ['watch:*', 'watch ls'],
    ['sort:*', 'sort @words -T x'],
  ]
  it.each(others)('Bash(%s) does not cover %s, and the exact text does', async (rule, one) => {
    expect(await shortly(await asking({ allow: [`Bash(${rule})`] }), script(one))).toBe('ask')
    const exact = one.replace(/[\\()*]/g, String.raw`\$&`)
    expect(await shortly(await asking({ allow: [`Bash(${exact})`] }), script(one))).toBe(`allow Bash(${exact})`)
  })

  it('covers each part of a pipe by itself, and a refusal quotes the part that none covers', async () => {
    const asked = await asking({ allow: ['Bash(grep:*)', 'Bash(wc:*)', 'Bash(npm test)'] })
    for (const one of [
      'grep -c "a$" f 2>/dev/null | wc -l',
      'grep a f && wc f',
      'npm test 2>&1 | grep x',
      'grep a f; wc f || grep b',
      'grep a\nwc f',
      'timeout 5 grep a f >/dev/null',
    ])
      expect((await asked.check(script(one))).behavior, one).toBe('allow')
    expect((await asked.check(script('grep a f | id -u | wc'))).message).toBe(
      'Use Bash "grep a f | id -u | wc" for skill: deploy (no rule covers the part "id -u")',
    )
  })

  it('is not offered where something else could run under it', async () => {
    for (const one of [
      'find src -name x',
      'npm exec x y',
      'uv run x y',
      'parallel x y',
      'busybox ls x',
      'setsid id x',
      'flock f id',
      'chroot x id',
      'kubectl exec x y',
      'git rebase main x',
    ]) {
      const { suggestions = [] } = await (await asking()).check(script(one))
      expect(
        suggestions.map(({ rules }) => rules[0]?.ruleContent),
        one,
      ).toEqual([one])
    }
  })
})

describe('a rule that denies a program', () => {
  const seen = [
    '2>&1 touch x',
    '>&2 touch x',
    '2>&- touch x',
    '<&0 touch x',
    '>|f touch x',
    '>& f touch x',
    'a[0]=b touch x',
    '{fd}>x touch y',
    '&>f touch x',
    '&>>f touch x',
    'coproc touch x',
    'coproc N { touch x; }',
    'time -p touch x',
    '! touch x',
    'case a in a) touch x;; esac',
    'for i in a; do touch x; done',
    'for ((i=0;i<1;i++)); do touch x; done',
    'while touch x; do break; done',
    'f() { touch x; }; f',
    'function f { touch x; }; f',
    'cat <(touch x)',
    'echo a > >(touch x)',
    'cat <<E\n$(touch x)\nE',
    "$'\\x74ouch' x",
    '"to"uch x',
    'to\\uch x',
    "alias a='touch x'",
    'command -p touch x',
    'exec -a name touch x',
    'builtin touch x',
    "eval 'touch x'",
    'eval touch x',
    "trap 'touch x' EXIT",
    "PROMPT_COMMAND='touch x' bash -i",
    'find . -exec touch x \\;',
    "git -c alias.x='!touch x' x",
    'a[$(touch x)]=1',
    'echo ${a:-$(touch x)}',
    'echo $(( $(touch x) ))',
    '[[ -n $(touch x) ]]',
    "bash -c 'touch x'",
    'sh -c "sh -c \'touch x\'"',
    'xargs touch',
    'tar xf a --to-command=touch',
    "rsync -e 'touch x' a b",
    'x=touch; $x y',
    '/usr/bin/touch x',
    'sudo -u root touch x',
    "awk 'x' | xargs -n1 touch",
    "ssh h 'touch x'",
    "watch 'touch x'",
    "tar tf a --checkpoint-action='exec=touch x'",
    'select x in $(touch y); do break; done',
    'if touch x; then :; fi',
    'until touch x; do :; done',
    'tar -tf a -Itouch',
    'tar -tItouch',
    "env -S'touch x' y",
    "nice env -vS'touch x'",
    "git rebase -x'touch x' main",
    'ld.so /usr/bin/touch x',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/touch x',
    'logsave f touch x',
    'start-stop-daemon --start --exec /usr/bin/touch -- x',
    'unknown --with=touch x',
    'unknown -Ptouch x',
    'unknown a,touch',
    "unknown 'a b touch c'",
    'unknown one "nice unknown touch x"',
    './run.sh touch x',
    'echo "touch x" | unknown',
    'unknown <<< "touch x"',
    'unknown <<E\ntouch x\nE',
    "GIT_PAGER='touch x' git log",
    'cp /usr/bin/touch ./x; ./x',
  ]
  it.each(seen)('sees it in %s', async one => {
    expect(await shortly(await asking({ deny: ['Bash(touch:*)'], allow: ['Bash'] }), script(one))).toBe(
      'deny Bash(touch:*)',
    )
  })

  const unseen = [
    '$x y',
    '"$(printf touch)" x',
    '/bin/tou?h x',
    '{tou,x}ch y',
    '. file',
    'source file',
    'bash x.sh',
    'curl x | sh',
    'eval "$x"',
    'bash -c "$x"',
    "BASH_ENV=f bash -c ':'",
    "python -c 'x()'",
    'find . $x',
    'xargs -I X X y',
    'echo "',
    "awk 'BEGIN{system(x)}'",
    'hash -p /x y; y',
    'unknown "$x"',
    'unknown $(x)',
    'unknown dG91Y2ggeA==',
    'unknown 746f7563682078',
    'unknown %74ouch',
    'GIT_PAGER=$x git log',
    'PATH=.:/bin ls',
    'cat /usr/bin/t[o]uch > x; ./x',
    'ln -s /usr/bin/t[o]uch x; ./x',
    'rg "$x" f',
  ]
  it.each(unseen)('has %s asked about, for that cannot be seen', async one => {
    const asked = await asking({ deny: ['Bash(touch:*)'], allow: ['Bash'] })
    expect(await asked.check(script(one))).toMatchObject({
      behavior: 'ask',
      message: expect.stringMatching(/is not known beforehand, .*Bash\(touch:\*\) of options /),
    })
    expect(await shortly(await asking({ allow: ['Bash'] }), script(one))).toBe('allow Bash')
  })

  it('asks about what stands behind more text or values than are looked at', async () => {
    const asked = await asking({ deny: ['Bash(touch:*)', 'PowerShell(touch:*)'], allow: ['Bash', 'PowerShell'] })
    const long = `echo ${'x '.repeat(200_000)}; touch x`
    for (const tool of ['Bash', 'PowerShell'])
      expect(await asked.check({ ...script(long), tool })).toMatchObject({ behavior: 'ask' })
    const many = { ...script('echo ${A}; '.repeat(5000)), values: { A: 'x'.repeat(100_000) } }
    expect(await asked.check(many)).toMatchObject({ behavior: 'ask' })
  })

  it('lets pass what surely runs something else', async () => {
    const asked = await asking({ deny: ['Bash(touch:*)'], allow: ['Bash'] })
    for (const one of [
      'git log "$x"',
      'echo touch',
      'for f in *; do cat "$f"; done',
      'npm test',
      'make',
      'python x.py',
      'ls | grep "$x" > f',
      'git add touch',
      './run.sh',
      'x=1; echo $x',
      'unknown build --fast',
      'kubectl get pods -n "$x"',
      'curl "https://example.com/$x"',
      'docker run --rm -it alpine ls',
      "git commit -m 'touch it up'",
      'npm run touch',
      'npm ci && npm run build',
      'sed -i s/a/b/ f',
      'npx tsc --noEmit',
      'jq ".a | .b" f',
    ])
      expect(await shortly(asked, script(one)), one).toBe('allow Bash')
  })
})
