// @ts-check

/** @typedef {import('../random.mjs').Random} Random */

/** References as authors write them: with a value, without one, and texts that only look like one. */
const references = [
  '$0',
  '$0',
  '$0',
  '$0',
  '$0',
  '$0',
  '$0',
  '$1',
  '$1',
  '$ARGUMENTS',
  '$ARGUMENTS',
  '$ARGUMENTS',
  '$ARGUMENTS[0]',
  '$ARGUMENTS[1]',
  '$ARGUMENTS[7]',
  '${ARGUMENTS}',
  '$7',
  '$9',
  '$item',
  '$x',
  '${CLAUDE_EFFORT}',
  '${CLAUDE_SKILL_DIR}',
  '${CLAUDE_SESSION_ID}',
  '${user_config.given}',
]
const variables = [
  'n',
  'x',
  'a',
  'v',
  'r',
  'item',
  '1',
  'SKILL_ARG_0',
  'SKILL_ARG_1',
  'OPTIND',
  'SECONDS',
  'REPLY',
  'm',
]
const names = ['n', 'x', 'a', 'v', 'r', 'item', 'm']
const operators = ['-eq', '-ne', '-lt', '-le', '-gt', '-ge']
const sums = ['+', '-', '*', '%', '<', '>', '==', '&&', '||', '&', '**', ',', '<<']

/**
 * Makes random nested scripts of bash. In them the value of a reference may end up wherever the shell could evaluate
 * it, and wherever a script hands text to something that runs it.
 */
export class Grammar {
  #random
  #depth = 0
  #inFunction = false
  /** The variable that a script is mostly about. */
  #main = 'x'

  /** @param {Random} random */
  constructor(random) {
    this.#random = random
  }

  /** @returns {string} */
  script() {
    this.#main = this.#pick(names)
    // Most scripts put a value into a variable first, and then use it.
    const first = this.#random.once(3)
      ? []
      : [this.#random.once(2) ? this.#carry() : `${this.#main}=${this.#reference()}`]
    const lines = [...first, ...Array.from({ length: 1 + this.#random.below(2) }, () => this.#statement())]
    return lines.join(this.#random.pick(['; ', '\n', ' && ', '\n']))
  }

  /** @param {readonly (() => string)[]} makers @returns {string} */
  #one(makers) {
    return this.#random.pick(makers)()
  }

  /** @param {readonly string[]} list */
  #pick(list) {
    return this.#random.pick(list)
  }

  /** @returns {string} */
  #name() {
    return this.#random.once(4) ? this.#pick(names) : this.#main
  }

  /** @returns {string} */
  #reference() {
    return this.#pick(references)
  }

  /** @param {() => string} maker @param {() => string} leaf @returns {string} */
  #deeper(maker, leaf) {
    if (this.#depth > 3) return leaf()
    this.#depth += 1
    const made = maker()
    this.#depth -= 1
    return made
  }

  /** @returns {string} */
  #leaf() {
    return this.#pick([
      this.#reference(),
      `"${this.#reference()}"`,
      `$${this.#name()}`,
      `"$${this.#name()}"`,
      'lit',
      '3',
      "'q'",
      '*',
      '-v',
      '""',
      '$1',
      '"$@"',
      '$#',
    ])
  }

  /** @returns {string} */
  #word() {
    return this.#deeper(
      () =>
        this.#one([
          () => this.#leaf(),
          () => this.#leaf(),
          () => this.#leaf(),
          () => this.#leaf(),
          () => `"${this.#pick(['', 'a ', 'a[', '$'])}${this.#reference()}${this.#pick(['', ' b', ']', '$1'])}"`,
          () =>
            `${this.#pick([
              'a[',
              'pre',
              '-',
              'x=',
              '--opt=',
              '~',
              '{a,',
              '\\',
              '$',
            ])}${this.#reference()}${this.#pick(['', ']', ',b}', '.txt', '[0]'])}`,
          () => this.#expansion(),
          () => `"${this.#expansion()}"`,
          () => this.#expansion(),
          () => `$(${this.#simple()})`,
          () => `"$(${this.#statement()})"`,
          () => `\`${this.#plain()}\``,
          () => `$((${this.#sum()}))`,
          () => `$[${this.#sum()}]`,
          () => `<(${this.#simple()})`,
          () => `$'${this.#pick(['a', '\\n', '\\x5b', this.#reference()])}'`,
          () => `$"${this.#reference()}"`,
          () => `'${this.#reference()}'`,
        ]),
      () => this.#leaf(),
    )
  }

  /** Makes a command that needs no backslash between backticks. @returns {string} */
  #plain() {
    return `${this.#pick(['echo', 'printf %s', 'test -n', '[', 'let'])} ${this.#leaf()} ${this.#leaf()}`
  }

  /** Makes an arithmetic expression. @returns {string} */
  #sum() {
    return this.#deeper(
      () =>
        this.#one([
          () => this.#name(),
          () => this.#name(),
          () => this.#reference(),
          () => `$${this.#name()}`,
          () => `\${${this.#name()}}`,
          () => String(this.#random.below(9)),
          () => `${this.#sum()}${this.#pick(sums)}${this.#sum()}`,
          () => `${this.#name()}[${this.#sum()}]`,
          () => `${this.#name()}=${this.#sum()}`,
          () => `(${this.#sum()})`,
          () => `${this.#sum()} ? ${this.#sum()} : ${this.#sum()}`,
          () => `"${this.#reference()}"`,
          () => this.#expansion(),
          () => `$(${this.#simple()})`,
          () => `${this.#name()}++`,
        ]),
      () => this.#name(),
    )
  }

  /** @returns {string} */
  #subscript() {
    return this.#one([
      () => this.#sum(),
      () => '@',
      () => '*',
      () => '0',
      () => this.#reference(),
      () => `"${this.#reference()}"`,
      () => `$${this.#name()}`,
    ])
  }

  /** Makes a parameter expansion of any form. @returns {string} */
  #expansion() {
    const name = this.#random.once(3) ? this.#pick([...variables, '@', '*', '#', '!', '10']) : this.#name()
    const subscripted = `${this.#name()}[${this.#subscript()}]`
    const target = this.#random.once(3) ? subscripted : name
    const bare = this.#deeper(
      () =>
        this.#one([
          () => target,
          () => `#${target}`,
          () => `!${target}`,
          () => `!${this.#name()}@`,
          () => `!${this.#name()}[@]`,
          () => `${target}:${this.#sum()}`,
          () => `${target}: ${this.#sum()}:${this.#sum()}`,
          () => `!${target}:${this.#sum()}`,
          () => `${target}${this.#pick([':-', '-', ':=', '=', ':+', '+', ':?', '?'])}${this.#word()}`,
          () =>
            `${target}${this.#pick([
              '#',
              '##',
              '%',
              '%%',
              '^',
              '^^',
              ',',
              ',,',
              '~',
            ])}${this.#pick(['', this.#leaf()])}`,
          () => `${target}${this.#pick(['/', '//', '/#', '/%'])}${this.#leaf()}/${this.#word()}`,
          () => `${target}@${this.#pick(['P', 'E', 'Q', 'A', 'a', 'K', 'k', 'U', 'u', 'L'])}`,
        ]),
      () => target,
    )
    return `\${${bare}}`
  }

  /** Makes a command that puts a value into a variable. @returns {string} */
  #carry() {
    const name = this.#name()
    const value = this.#one([
      () => this.#reference(),
      () => `"${this.#reference()}"`,
      () => this.#leaf(),
      () => this.#word(),
    ])
    return this.#one([
      () => `${name}=${value}`,
      () => `${name}=${value}`,
      () => `${name}=${value}`,
      () => `${name}+=${value}`,
      () => `${name}=(${value} ${this.#word()})`,
      () => `${name}[${this.#subscript()}]=${value}`,
      () => `declare ${name}=${value}`,
      () => `declare -i ${name}=${value}`,
      () => `declare -${this.#pick(['a', 'A', 'n', 'x', 'r', 'g', 'u', 'ai', 'nr', 'lx'])} ${name}=${value}`,
      () => `export ${name}=${value}`,
      () => `typeset -i ${name}; ${name}=${value}`,
      () => `declare -n ${name}; ${name}=${value}`,
      () => `declare -A ${name}; ${name}[${value}]=1`,
      () => `declare -i ${name}; read ${name} <<< ${value}`,
      () => `read -r ${name} <<< ${value}`,
      () => `read -a ${name} <<< ${value}`,
      () => `mapfile -t ${name} <<< ${value}`,
      () => `printf -v ${name} %s ${value}`,
      () => `set -- ${value} ${this.#word()}`,
      () => `: \${${name}:=${value}}`,
      () => `IFS= read -r ${name} < <(echo ${value})`,
      () => `${name}=$(echo ${value})`,
      () => `SECONDS=${value}`,
      () => `OPTIND=${value}`,
      () => `RANDOM=${value}`,
      () => `IFS=${value}`,
      () => `${name}=([${this.#subscript()}]=${value})`,
      () => `shift ${value}`,
      () => `unset ${name}`,
      () => `readonly r2=${value}`,
      () => `${name}=${value} ${this.#simple()}`,
      () => `BASH_ARGV0=${value}`,
      () =>
        `${this.#pick(['declare', 'typeset', 'local', 'readonly', 'export'])} -${this.#pick(['a', 'A', 'ax', 'aU', 'g', 'ga'])} ${name}=${this.#pick([value, `"(${this.#reference()})"`, `(${value})`, `([${value}]=1)`])}`,
      () =>
        `${this.#pick(['declare', 'local', 'export', 'readonly'])} "${this.#pick([`${name}=`, `${name}[`, '', `${name}+=`])}${this.#reference()}${this.#pick(['', ']=1', '=1'])}"`,
      () => `${name}=(); ${this.#pick(['declare', 'export'])} ${name}=${value}`,
      () => `PATH=${value}`,
      () => `${this.#pick(['PS4', 'BASH_ENV', 'ENV', 'IFS', 'PROMPT_COMMAND', 'CDPATH'])}=${value}; set -x`,
      () => `{ ${name}=$(cat); } <<< ${value}`,
      () => `echo ${value} > out; ${name}=$(<out)`,
      () => `echo ${value} | { read ${name}; ${this.#statement()}; }`,
      () => `IFS=, read -r ${name} m <<< ${value}`,
      () => `${name}=\${${this.#name()}:-${value}}`,
      () => `eval ${name}=${this.#pick(["'$0'", value, `\\$${this.#name()}`])}`,
      () => `coproc { echo ${value}; }; read -u \${COPROC[0]} ${name}`,
      () => `exec {${this.#pick([name, `${name}[${this.#subscript()}]`])}}<<< ${value}`,
      () => `getopts ${this.#pick(['ab:', value])} ${name} ${value}`,
      () => `trap '${name}=$_' DEBUG; : ${value}`,
      () => `shopt -s lastpipe; echo ${value} | read ${name}`,
      () => `HISTCMD=${value}`,
    ])
  }

  /** @returns {string} */
  #test() {
    const left = this.#word()
    return this.#one([
      () => `[ ${left} ]`,
      () => `[ -${this.#pick(['n', 'z', 'v', 'R', 'e', 'o', 't'])} ${left} ]`,
      () => `[ ${left} ${this.#pick([...operators, '=', '!=', '-a', '-nt'])} ${this.#word()} ]`,
      () => `test ${left}`,
      () => `test -v ${left}`,
      () => `test ${left} ${this.#word()}`,
      () => `[ ${left} ${this.#word()} ]`,
      () => `[ ! ${left} ${this.#word()} ]`,
      () => `[ ${left} ${this.#leaf()} ${this.#leaf()} ${this.#leaf()} ]`,
      () => `[ \\( ${left} \\) ]`,
      () => `[ "$@" ]`,
      () => `test "\${${this.#name()}[@]}"`,
      () => `test {${left},"${this.#reference()}"}`,
      () => `[ ${left} -a ${this.#word()} ]`,
      () =>
        `[ ${left} ${this.#pick(['=', '-eq', '-o', '-a'])} ${this.#word()} ${this.#pick(['-a', '-o'])} ${this.#word()} ]`,
      () => `[ $* ]`,
      () => `[[ ${left} ]]`,
      () => `[[ -${this.#pick(['n', 'z', 'v', 'R', 'e', 'o'])} ${left} ]]`,
      () => `[[ ${left} ${this.#pick([...operators, '==', '!=', '=~', '<'])} ${this.#word()} ]]`,
      () => `[[ ( ${left} ) && ! ${this.#word()} ]]`,
      () => `(( ${this.#sum()} ))`,
      () => `((${this.#sum()}))`,
      () => `let ${left}`,
      () => `let "${this.#sum()}"`,
      () => `let ${this.#name()}=${this.#sum()}`,
    ])
  }

  /** @returns {string} */
  #simple() {
    const [word, other] = [this.#word(), this.#leaf()]
    return this.#one([
      () => `echo ${word}`,
      () => `printf %s ${word} ${other}`,
      () => `printf ${word} ${other} ${other}`,
      () => `printf -v ${word} %s ${other}`,
      () => `read ${word} <<< ${other}`,
      () => `: ${word}`,
      () => `cat <<< ${word}`,
      () => `unset ${word}`,
      () => `unset -v ${word}`,
      () => `export ${word}`,
      () => `declare ${word}`,
      () => `readonly ${word}`,
      () => `mapfile -t ${word} <<< ${other}`,
      () => `readarray ${word} <<< ${other}`,
      () => `getopts ab ${word}`,
      () => `wait -n -p ${word}`,
      () => `test -v ${word}`,
      () => `cat ${word}`,
      () => `true ${word} > out`,
      () => `echo x > ${word}`,
      () => `echo x >& ${word}`,
      () => `echo x 2>& ${word}`,
      () => `exec {${this.#name()}}>out`,
      () => `hash ${word}`,
      () => `type ${word}`,
      () => `alias ${word}`,
      () => `shopt ${word}`,
      () => `set -o ${word}`,
      () => `umask ${word}`,
      () => `ulimit ${word}`,
      () => `jobs ${word}`,
      () => `kill -l ${word}`,
      () => `printf '%q %b' ${word} ${other}`,
      () => `printf %d ${word}`,
      () => `printf '%*d' ${word} ${other}`,
      () => `printf '%(%Y)T' ${word}`,
      () => `read -t ${word} v`,
      () => `read -n ${word} v <<< a`,
      () => `read -d ${word} v <<< a`,
      () => `read -u ${word} v`,
      () => `mapfile -n ${word} v <<< a`,
      () => `mapfile -O ${word} v <<< a`,
      () => `exit ${word}`,
      () => `shift ${word}`,
      () => `break ${word}`,
      () => `times`,
      () => `pwd ${word}`,
      () => `command ${this.#pick(['let', 'test', '[', 'declare', 'printf -v', 'unset'])} ${word}`,
      () => `builtin ${this.#pick(['let', 'test', 'read', 'unset', 'printf'])} ${word} ${other}`,
      () => `compgen -v ${word}`,
      () => `complete -p ${word}`,
      () => `caller ${word}`,
      () => `enable ${word}`,
      () => `dirs ${word}`,
      () => this.#test(),
      () => `${this.#name()}=${other} ${this.#pick(['echo', 'test -n', 'declare -p'])} ${word}`,
      () => (this.#inFunction ? 'return $1' : `f ${word} ${other}`),
      () => `l\\et ${word}`,
      () => `'let' ${word}`,
      () => `"test" -v ${word}`,
      () => `de''clare -i ${this.#name()}=${other}`,
      () => `$'let' ${word}`,
      () => this.#running(word, other),
      () => this.#running(word, other),
    ])
  }

  /**
   * Makes a command that runs text, a program, or the value of a variable.
   * @param {string} word
   * @param {string} other
   */
  #running(word, other) {
    return this.#one([
      () => `eval ${this.#pick([word, `"echo ${this.#reference()}"`, `'echo $1'`, `"$@"`])}`,
      () => `trap ${word} ${this.#pick(['EXIT', 'DEBUG', 'ERR', 'USR1'])}; kill -USR1 $BASHPID`,
      () => `trap 'echo ${other}' EXIT`,
      () =>
        `${this.#pick(['source', '.'])} ${this.#pick([word, '/dev/stdin <<< ' + word, `<(echo ${word})`, './out'])}`,
      () =>
        `${this.#pick(['bash', 'sh'])} -c ${this.#pick([word, `'echo $0'`, `'[ "$@" ]'`, `'(( $1 ))'`, `'eval "$1"'`])} ${other} ${word}`,
      () => `${this.#pick(['bash', 'sh', 'bash -s', 'bash /dev/stdin'])} ${other} <<< ${word}`,
      () =>
        `echo ${word} | ${this.#pick(['bash', 'sh', 'xargs', 'xargs -n1 sh -c', 'cat', 'while read n; do (( n )); done', 'bash -s'])}`,
      () => `${this.#pick(['bash', 'sh', 'cat'])} <<E\necho ${this.#reference()}\nE\n`,
      () => `${word} ${other}`,
      () => `"$@"`,
      () => `$${this.#name()}`,
      () => `"\${${this.#name()}[@]}"`,
      () =>
        `${this.#pick(['command', 'builtin', 'exec', 'env', 'env -S', 'nohup', 'xargs', 'time', 'command -p'])} ${word} ${other}`,
      () =>
        `find . -maxdepth 0 ${this.#pick(['-exec', '-name', `$${this.#name()}`, '-path'])} ${word} ${this.#pick([';', '\\;', '{} +', ''])}`,
      () =>
        `awk ${this.#pick([word, `"BEGIN{${this.#reference()}}"`, `-v x=${word} 'BEGIN{print x}'`, `'{print}' ${word}`])} </dev/null`,
      () =>
        `sed ${this.#pick(['', '-n ', '-e '])}${this.#pick([word, `"s/x/${this.#reference()}/"`, `s/a/b/ ${word}`])} <<< x`,
      () => `mapfile -c 1 -C ${word} v <<< ${other}`,
      () => `mapfile -c 1 -C eval v <<< ${word}`,
      () => `compgen ${this.#pick(['-W', '-C', '-F', '-X'])} ${word}`,
      () => `complete ${this.#pick(['-C', '-W', '-F'])} ${word} x`,
      () => `alias ls=${word}; ls`,
      () => `shopt -s expand_aliases\nalias x='eval'\nx ${word}`,
      () => `hash -p /bin/sh foo; foo -c ${word}`,
      () => `history -s ${word}; fc -s`,
      () => `bind -x ${word}`,
      () => `enable -f ${word} x`,
      () => `command_not_found_handle() { eval "$@"; }; nothing ${word}`,
      () => `echo() { eval "$@"; }; echo ${word}`,
      () =>
        `f() { ${this.#pick(['"$@"', '[ "$@" ]', 'test $*', 'eval "$*"', '(( $1 ))', 'local a="$1"; echo $((a))', 'declare "$@"', 'printf "$@"', 'read "$@" <<< x', 'cat "$@"', 'unset "$1"'])}; }; f ${word} ${other}`,
      () => `set -- ${word} ${other}; ${this.#statement()}`,
      () => `for ${this.#name()} in ${word}; do ${this.#statement()}; done`,
      () => `unset -f f; wait ${this.#pick(['-p', '-n', '-f'])} ${word}`,
      () => `set ${this.#pick(['-k', '-o posix', '-a', '-e', '-T'])}; ${this.#statement()}`,
      () => `declare -n ref=${word}; ref=${other}; echo $ref`,
      () => `tee out <<< ${word}; n=$(cat out); (( n ))`,
      () => `declare -f f ${word}; typeset -p ${word}`,
    ])
  }

  /** @returns {string} */
  #statement() {
    return this.#deeper(
      () =>
        this.#one([
          () => this.#simple(),
          () => this.#simple(),
          () => this.#simple(),
          () => this.#test(),
          () => this.#carry(),
          () => this.#compound(),
          () => this.#compound(),
          () => `${this.#simple()} | ${this.#simple()}`,
          () => `${this.#carry()}; ${this.#statement()}`,
          () => `${this.#carry()}; ${this.#statement()}`,
          () => `! ${this.#test()}`,
          () => `${this.#test()} && ${this.#statement()}`,
          () => `${this.#simple()} # ${this.#reference()}`,
          () => `${this.#simple()} 2>/dev/null`,
          () => `2>&1 ${this.#simple()}`,
          () => `time ${this.#simple()}`,
          () => `${this.#simple()} \\\n${this.#word()}`,
        ]),
      () => this.#simple(),
    )
  }

  /** @returns {string} */
  #compound() {
    const name = this.#name()
    return this.#one([
      () => `if ${this.#test()}; then ${this.#statement()}; else ${this.#statement()}; fi`,
      () => `while ${this.#test()}; do ${this.#statement()}; break; done`,
      () => `until ${this.#test()}; do ${this.#statement()}; break; done`,
      () => `for ${name} in ${this.#word()} ${this.#word()}; do ${this.#statement()}; done`,
      () => `for (( ${this.#sum()}; ${this.#sum()}; ${this.#sum()} )); do ${this.#statement()}; break; done`,
      () => `select ${name} in ${this.#word()}; do ${this.#statement()}; break; done <<< 1`,
      () => `case ${this.#word()} in ${this.#leaf()}) ${this.#statement()};; *) ${this.#statement()};; esac`,
      () => `case ${this.#word()} in (${this.#word()}) ${this.#statement()};& esac`,
      () => `{ ${this.#statement()}; }`,
      () => `( ${this.#statement()} )`,
      () => this.#function(),
      () => this.#function(),
      () => `coproc { ${this.#statement()}; }`,
      () => this.#hereDocument(),
      () => this.#hereDocument(),
      () => `while read ${name}; do ${this.#statement()}; done <<< ${this.#word()}`,
      () => `{ ${this.#statement()}; } > out 2>&1`,
      () => `( (${this.#statement()}) )`,
      () => `$( ${this.#statement()} )`,
    ])
  }

  /** Makes a function whose body calls no function, so that nothing calls itself. @returns {string} */
  #function() {
    const outer = this.#inFunction
    this.#inFunction = true
    const body = `${this.#pick([
      'local',
      'local -i',
      'local -n',
      'declare',
      'local -a',
      '',
    ])} ${this.#name()}=${this.#word()}; ${this.#statement()}`.trim()
    this.#inFunction = outer
    return `${this.#pick(['f()', 'function f', 'f ()'])} { ${body}; }; f ${this.#word()} ${this.#leaf()}`
  }

  /** @returns {string} */
  #hereDocument() {
    const [word, end] = this.#pick(['E E', "'E' E", '"E" E', '\\E E', '-E E']).split(' ')
    const text = this.#one([
      () => this.#word(),
      () => this.#expansion(),
      () => `$((${this.#sum()}))`,
      () => `$(${this.#simple()})`,
      () => this.#reference(),
    ])
    const reader = this.#pick([
      'cat',
      `read ${this.#name()}`,
      `mapfile ${this.#name()}`,
      'while read n; do (( n )); done',
    ])
    return `${reader} <<${word}\n${text}\n${end}\n${this.#statement()}`
  }
}
