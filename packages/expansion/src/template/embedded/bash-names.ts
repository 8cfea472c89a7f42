/** How a builtin of bash takes a value. A builtin that is not here is not understood, and lets whole numbers in alone. */
export type BuiltinUse = 'data' | 'declaration' | 'test' | 'names' | 'own' | 'unsure'

function named(use: BuiltinUse, names: string): readonly (readonly [string, BuiltinUse])[] {
  return names.split(' ').map(name => [name, use] as const)
}

/**
 * Every builtin of bash. `data`: takes any words as text. `names`: takes words for names of variables. `own`: has a
 * rule of its own. `unsure`: runs its words, or changes what later commands mean.
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

/** Variables that bash sets to what no value can be a part of. */
const clean =
  /^(?:[?#$!0-]|HOME|PATH|IFS|U?ID|EUID|PPID|BASHPID|S?RANDOM|SECONDS|LINENO|OPTIND|SHLVL|PIPESTATUS|EPOCH\w+|HOST\w+|OSTYPE|MACHTYPE|FUNCNAME|BASH_(?:SOURCE|LINENO|SUBSHELL|VERSION|VERSINFO)|TMPDIR|LANG|LC_\w+|COLUMNS|LINES)$/
const set =
  /^(?:_|BASH\w*|COMP\w*|COPROC|DIRSTACK|GROUPS|HIST\w*|MAPFILE|OLDPWD|OPTARG|PROMPT\w*|PS[0-4]|PWD|READLINE\w*|REPLY)$/

/** Whether bash may have put a value, or a part of one, into a variable by itself. */
export function isSetByBash(name: string): boolean {
  return set.test(name) && !clean.test(name)
}

/** Whether bash reads what is assigned to a variable as a calculation. */
export function isInteger(name: string): boolean {
  return /^(?:S?RANDOM|SECONDS|LINENO|OPTIND|HISTCMD|EPOCH\w+)$/.test(name)
}

const meaning =
  /^(?:_|IFS|PATH|ENV|CDPATH|GLOBIGNORE|GLOBSORT|EXECIGNORE|FIGNORE|FUNCNEST|TMPDIR|TMOUT|TIMEFORMAT|MAIL\w*|INPUTRC|IGNOREEOF|FCEDIT|FUNCNAME|SHELLOPTS|POSIXLY_CORRECT|PROMPT\w*|PS[0-4]|BASH\w*|COMP\w*|COPROC|PIPESTATUS|GROUPS|MAPFILE|HIST\w*|histchars|auto_resume|DIRSTACK|READLINE\w*|SHELL|EDITOR|VISUAL|PAGER|BROWSER|HOME|(?:LD|DYLD|GIT|PERL\w*|PYTHON|RUBY|NODE|NPM|MAKE|MFLAGS|JAVA|JDK|LUA|GCONV|LOCPATH|SSH|SUDO)_?\w*)$/
const exported = /(?:PATH|ENV|OPTIONS?|OPTS?|FLAGS|ARGS|COMMAND|CMD|EDITOR|PAGER|SHELL|PRELOAD|LIB|ASKPASS|INIT|RC)$/

/**
 * Whether a variable decides what runs.
 * @param isExported whether it is set for another program, which may have variables of that kind of its own
 */
export function decidesWhatRuns(name: string, isExported: boolean): boolean {
  return meaning.test(name) || (isExported && exported.test(name))
}

/** Options of `shopt` that change neither how a script is read nor what its words run. */
export const plainShellOptions =
  /^(?:-[suqp]|nullglob|failglob|dotglob|nocaseglob|nocasematch|globstar|globskipdots|globasciiranges|extglob|lastpipe|inherit_errexit|huponexit|checkwinsize)$/

/** The same of `set`, before `--`. */
export const plainSetOptions =
  /^(?:[-+](?=.)[efuxvhCEmb]*o?|pipefail|errexit|nounset|noglob|xtrace|verbose|noclobber|errtrace|monitor)$/
