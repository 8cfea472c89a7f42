// @ts-check
import { canaries, quoted } from './many-folders.mjs'

/** @typedef {import('../random.mjs').Random} Random */

/** Redirections and assignments that may come before a command. */
const before = [
  '2>&1',
  '>&2',
  '2>&-',
  '<&0',
  '>|f',
  '>& f',
  '&>f',
  '{fd}>x',
  '2>/dev/null',
  '</dev/null',
  '<<<a',
  '>>f',
  'a=b',
  'a[0]=b',
  'a+=b',
  'a="b c"',
  'a[$(touch x)]=b',
  'PS4=x',
]
const after = [
  '2>&1',
  '>/dev/null',
  '>f',
  '2> f',
  '&>/dev/null',
  '>&2',
  '<keep',
  '<<E\n$(touch x)\nE\n',
  "<<'E'\ntouch x\nE\n",
  '> "f"',
  '>/dev/null/../../f',
]
/** Calls that start a canary, or nothing at all. */
const ends = [
  'touch x',
  'canary',
  'id',
  '"to"uch x',
  "t'ouc'h x",
  'to\\uch x',
  "$'\\x74ouch' x",
  '../../bin/touch x',
  '{tou,x}ch x',
  'touch -- "a b"',
  'echo a',
  'cat keep',
  'grep a keep',
  'wc -l keep',
]

/**
 * Makes a script: a command that is wrapped, joined, redirected and assigned in random ways.
 * @param {Random} random
 * @param {number} depth
 * @returns {string}
 */
export function script(random, depth) {
  const inner = () => (depth > 0 && random.once(3) ? script(random, depth - 1) : command(random, depth))
  switch (random.below(30)) {
    case 0:
    case 1:
      return `${inner()} ${random.pick(['|', '|&', '&&', '||', ';', '&', '\n'])} ${inner()}`
    case 2:
      return `${random.pick(before)} ${inner()}`
    case 3:
      return `${inner()} ${random.pick(after)}`
    case 4:
      return `${random.pick(['!', 'time', 'time -p', 'a=(x y);'])} ${inner()}`
    case 5:
      return random.pick([`{ ${inner()}\n}`, `coproc N { ${inner()}\n} < /dev/null`, `coproc ${random.pick(ends)}`])
    case 6:
      return `( ${inner()}\n)`
    case 7:
      return `${random.pick(['f()', 'function f', 'cat()'])} { ${inner()}\n}; ${random.pick(['f', 'cat'])}`
    case 8:
      return `case a in ${random.pick(['a', '*', 'a|b'])}) ${inner()}\n;; esac`
    case 9:
      return `${random.pick(['for i in a', 'for ((i=0;i<1;i++))'])}; do ${inner()}\ndone`
    case 10:
      return `${random.pick(['while', 'until !'])} ${inner()}\ndo break; done`
    case 11:
      return `if ${inner()}\nthen :; fi`
    case 12:
      return `echo "$(${inner()}\n)"`
    case 13:
      return `${random.pick(['cat <(', 'echo $(', 'echo a > >(', 'echo ${a:-$('])}${inner()}\n)`.replace(
        /(\$\{a:-[^]*)$/,
        '$1}',
      )
    case 14:
      return `${random.pick(['eval', 'bash -c', 'sh -c', 'command eval', 'builtin eval'])} ${quoted(inner())}`
    case 15:
      return `trap ${quoted(inner())} EXIT`
    case 16:
      return `x=touch; ${random.pick([
        '$x a',
        '"$x" a',
        '${x} a',
        'eval "$x a"',
        'command $x a',
        'nice $x',
        '"${x:0:2}uch" a',
      ])}`
    case 17:
      return `${random.pick(['cat', 'echo a'])} | ${random.pick([
        'xargs',
        'xargs -n1',
        'sh',
        'bash -s',
        'bash /dev/stdin',
        'tee f',
        'xargs -I X',
      ])} ${random.pick(['touch', 'canary', 'find .', 'X', ''])}`
    case 18:
      return `echo ${random.pick(['touch a', '-delete', '"touch a"', '-o f'])} | ${random.pick([
        'sh',
        'xargs',
        'xargs find .',
        'bash',
        'xargs env',
        'xargs -0 sh -c',
        'xargs sort',
        'xargs nice',
      ])}`
    default:
      return inner()
  }
}

/**
 * @param {Random} random
 * @param {number} depth
 * @returns {string}
 */
function command(random, depth) {
  const inner = () => (depth > 0 && random.once(2) ? command(random, depth - 1) : random.pick(ends))
  const name = random.pick(canaries)
  switch (random.below(24)) {
    case 0:
      return `find ${random.pick(['.', './', '', '. -maxdepth 1'])} ${random.pick([
        '-name keep',
        `-exec ${name} {} \\;`,
        `-exec ${name} '{}' ';'`,
        `-execdir ${name} x ';'`,
        `-ok ${name} ';'`,
        '-delete',
        '-fprint f',
        '-fls f',
        '-type f',
        '-print0',
        '-maxdepth 1',
        `'-exec' ${name} ';'`,
        `-name keep "-exec" ${name} {} +`,
        '-fprintf f %p',
      ])}`
    case 1:
      return `xargs ${random.pick([
        '',
        '-r',
        '-n 1',
        '-0',
        '-t',
        '-P2',
        '-a keep',
        '--arg-file=keep',
        '-akeep',
      ])} ${inner()}`
    case 2:
      return `env ${random.pick([
        '',
        '-i',
        'A=b',
        '-u A',
        '--',
        `-S '${name} x'`,
        `-S'${name} x'`,
        '-',
        'PATH=../../bin',
      ])} ${inner()}`
    case 3:
      return `${random.pick([
        'nice',
        'nice -n 5',
        'nice -5',
        'nohup',
        'timeout 5',
        'timeout -s KILL 5',
        'timeout -k 1 5',
        'stdbuf -oL',
        'setsid',
        'setsid -w',
        'command',
        'command -p',
        'builtin',
        'exec',
        'exec -a x',
        'command --',
        'nice --',
        'timeout -- 5',
        'exec -c',
      ])} ${inner()}`
    case 4:
      return `awk ${random.pick([
        `'BEGIN{system("${name}")}'`,
        `'BEGIN{print "x" > "f"}'`,
        `'BEGIN{"${name}"|getline}'`,
        `'BEGIN{print 1 | "${name}"}'`,
        "'{print $1}' keep",
        "-F: '/a/{print $2}' keep",
        '-f keep',
        `'$0 == "a" || 1 { print }' keep`,
        `-- 'BEGIN{system("${name}")}'`,
      ])}`
    case 5:
      return `sed ${random.pick([
        `'1e ${name}' keep`,
        '-i s/a/b/ keep',
        '-n p keep',
        "-n '1w f' keep",
        `'s/a/${name}/e' keep`,
        's/a/b/g keep',
        '-ni p keep',
        "-e p -e 'w f' keep",
        '--in-pl s/a/c/ keep',
        "-s -n '$=' keep",
        `-e '1{e ${name}' -e '}' keep`,
        `"s/a/b/w f" keep`,
        "'$!N;1e touch x' keep",
        `'s/a/b/;s|b|${name}|e' keep`,
        "-n '/a/p;w f' keep",
        `'y/a/b/;e ${name}' keep`,
        'p keep -i',
        "'1d;$d' keep",
      ])}`
    case 6:
      return `sort ${random.pick([
        'keep',
        '-o f keep',
        '-r keep',
        '--output=f keep',
        '--out f keep',
        `-S 1b --compress-program=${name} keep`,
        '-ro f keep',
        '-k1,1 keep',
        'keep -o f',
        '-of keep',
        `-T . --compress-p ${name} keep`,
      ])}`
    case 7:
      return `tar ${random.pick([
        'cf a keep',
        `cf /dev/null --checkpoint=1 --checkpoint-action=exec=${name} keep`,
        `cf /dev/null -I ${name} keep`,
        `-tf keep -I${name}`,
        `cf /dev/null --use-comp=${name} keep`,
        'tf keep',
        `tf keep --to-command=${name}`,
        `-tvf keep -F ${name}`,
        'tf keep --remove-files',
      ])}`
    case 8:
      return `git ${random.pick([
        `-c alias.x='!${name}' x`,
        `-c core.pager=${name} -p log`,
        '--version',
        'status',
        'log',
        `grep -O${name} a`,
        'init',
        'init -q .',
        `grep --no-index -O${name} a keep`,
        'diff --no-index keep keep',
        'diff --no-index --output=f keep ./-delete',
        'help -a',
        `-p -c pager.help=${name} help`,
        `--config-env=core.pager=A log`,
        `ls-remote --upload-pack=${name} .`,
        `ls-remote 'ext::${name}'`,
      ])}`
    case 9:
      return random.pick([
        'tee f',
        'tee',
        'dd of=f',
        'dd if=keep',
        'uniq keep f',
        'uniq keep',
        'split keep',
        `split --filter=${name} keep`,
        'tee -a keep',
        'uniq -c keep',
        'uniq -c keep f',
        'tee -- f',
        'dd if=keep of=keep conv=notrunc',
        'rm keep',
        'mkdir f',
        'chmod 600 keep',
      ])
    case 10:
      return `bash ${random.pick([
        "-c 'touch x'",
        '-s',
        'keep',
        '-c :',
        '--version',
        '-x -c id',
        "-ec 'touch x'",
        'keep a',
        '/dev/stdin',
      ])}`
    case 11:
      return random.pick([
        "eval 'touch x'",
        'eval touch x',
        '. ./keep',
        'source ./keep',
        'command touch x',
        'alias a=touch',
        "test -v 'a[$(touch x)]'",
        '[ a ]',
        "printf -v 'a[$(touch x)]' x",
        "let 'a[$(touch x)]'",
        'test a',
        'printf a',
        'hash -p ../../bin/touch y; y',
        "test 'a[$(touch x)]' -eq 0",
        "[ 'a[$(touch x)]' -lt 1 ]",
        "printf %d 'a[$(touch x)]'",
        'printf "%s" "$(touch x)"',
        "echo 'a[$(touch x)]'",
        "read 'a[$(touch x)]' < keep",
        "unset 'a[$(touch x)]'",
        'cd . -P',
        'type touch',
        "exit 'a[$(touch x)]'",
        "shift 'a[$(touch x)]'",
        "return 'a[$(touch x)]'",
        "break 'a[$(touch x)]'",
        "ulimit -c 'a[$(touch x)]'",
        "kill -0 'a[$(touch x)]'",
        "wait 'a[$(touch x)]'",
        "[[ 'a[$(touch x)]' -eq 0 ]]",
        'command -v touch x',
        'pwd',
        "dirs 'a[$(touch x)]'",
        'umask',
        'times',
      ])
    case 12:
      return random.pick([
        'find *',
        'find -*',
        'cat *',
        'grep a *',
        'wc *',
        'echo *',
        'sort *',
        'find . -[d]elete',
        'xargs find',
        'find . -d*',
        'sed -n p *',
        'find . *',
      ])
    case 13:
      return "PROMPT_COMMAND='touch x' bash -i -c :"
    case 14:
      return random.pick([
        'BASH_ENV=keep bash -c :',
        'env BASH_ENV=keep bash -c :',
        'PATH=. touch',
        'sh ../../bin/touch',
        'IFS=o; touch x',
        'GIT_PAGER=touch git -p help',
      ])
    default:
      return inner()
  }
}
