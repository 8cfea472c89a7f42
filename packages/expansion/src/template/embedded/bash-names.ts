/** Way in which a builtin of bash takes a value. A builtin that is not listed may be given whole numbers only. */
export type BuiltinUse = 'data' | 'declaration' | 'test' | 'names' | 'own' | 'unsure'

function named(use: BuiltinUse, names: string): readonly (readonly [string, BuiltinUse])[] {
  return names.split(' ').map(name => [name, use] as const)
}

/**
 * Every builtin of bash. `data`: takes any words as text; `names`: takes words as names of variables; `own`: has a rule
 * of its own; `unsure`: runs its words as a command, or changes the meaning of later commands.
 */
export const builtins: ReadonlyMap<string, BuiltinUse> = new Map([
  ...named('data', ': true false echo cd pushd popd dirs pwd type help kill exit return shift break continue caller'),
  ...named('data', 'times umask ulimit suspend logout bg fg disown'),
  ...named('declaration', 'declare typeset local readonly export'),
  ...named('test', '[ test'),
  ...named('names', 'read mapfile readarray unset getopts wait'),
  ...named('own', 'printf set let eval trap source . exec command builtin shopt'),
  ...named('unsure', 'alias unalias bind compgen complete compopt enable fc hash history jobs'),
])

/** Variables that bash itself sets, and whose content never contains a value. */
const clean =
  /^(?:[?#$!0-]|HOME|PATH|IFS|U?ID|EUID|PPID|BASHPID|S?RANDOM|SECONDS|LINENO|OPTIND|SHLVL|PIPESTATUS|EPOCH\w+|HOST\w+|OSTYPE|MACHTYPE|FUNCNAME|BASH_(?:SOURCE|LINENO|SUBSHELL|VERSION|VERSINFO)|TMPDIR|LANG|LC_\w+|COLUMNS|LINES)$/
const set =
  /^(?:_|BASH\w*|COMP\w*|COPROC|DIRSTACK|GROUPS|HIST\w*|MAPFILE|OLDPWD|OPTARG|PROMPT\w*|PS[0-4]|PWD|READLINE\w*|REPLY)$/

/** True if bash may have put a value, or a part of one, into a variable by itself. */
export function isSetByBash(name: string): boolean {
  return set.test(name) && !clean.test(name)
}

/** True if bash reads an assignment to a variable as a calculation. */
export function isInteger(name: string): boolean {
  return /^(?:S?RANDOM|SECONDS|LINENO|OPTIND|HISTCMD|EPOCH\w+)$/.test(name)
}

const meaning =
  /^(?:_|IFS|PATH|ENV|CDPATH|GLOBIGNORE|GLOBSORT|EXECIGNORE|FIGNORE|FUNCNEST|TMPDIR|TMOUT|TIMEFORMAT|MAIL\w*|INPUTRC|IGNOREEOF|FCEDIT|FUNCNAME|SHELLOPTS|POSIXLY_CORRECT|PROMPT\w*|PS[0-4]|BASH\w*|COMP\w*|COPROC|PIPESTATUS|GROUPS|MAPFILE|HIST\w*|histchars|auto_resume|DIRSTACK|READLINE\w*|SHELL|EDITOR|VISUAL|PAGER|BROWSER|HOME|(?:LD|DYLD|GIT|PERL\w*|PYTHON|RUBY|NODE|NPM|MAKE|MFLAGS|JAVA|JDK|LUA|GCONV|LOCPATH|SSH|SUDO)_?\w*)$/
const exported = /(?:PATH|ENV|OPTIONS?|OPTS?|FLAGS|ARGS|COMMAND|CMD|EDITOR|PAGER|SHELL|PRELOAD|LIB|ASKPASS|INIT|RC)$/

/**
 * True if a variable decides what runs.
 * @param isExported true if another program gets the variable; that program may have more variables with such an effect
 */
export function decidesWhatRuns(name: string, isExported: boolean): boolean {
  return meaning.test(name) || (isExported && exported.test(name))
}

/** Options of `shopt` that change neither how a script is parsed nor which programs it runs. */
export const plainShellOptions =
  /^(?:-[suqp]|nullglob|failglob|dotglob|nocaseglob|nocasematch|globstar|globskipdots|globasciiranges|extglob|lastpipe|inherit_errexit|huponexit|checkwinsize)$/

/** Options of `set`, before `--`, that change neither how a script is parsed nor which programs it runs. */
export const plainSetOptions =
  /^(?:[-+](?=.)[efuxvhCEmb]*o?|pipefail|errexit|nounset|noglob|xtrace|verbose|noclobber|errtrace|monitor)$/
