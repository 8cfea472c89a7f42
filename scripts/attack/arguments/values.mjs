// @ts-check

/** @typedef {import('../random.mjs').Random} Random */

const names = ['a', 'x', 'n', 'v', 'm', '_', 'item', 'HOME', 'BASH_REMATCH', 'é', '']
const whole = /^[^\s'"\\]+$/

/**
 * Makes the assignment of a variable that decides what runs, with a folder whose programs tell that they ran.
 * @param {Random} random @param {string} canary @param {string} evil
 */
function steering(random, canary, evil) {
  const folder = `${evil}/${canary}`
  return random.pick([
    `PATH ${folder}`,
    `PATH=${folder}`,
    `PATH=${folder} x`,
    `-v PATH ${folder}`,
    `BASH_ENV=${folder}/env`,
    `x PATH=${folder}`,
    `-g PATH=${folder}`,
    `-a PATH=${folder}`,
    `cat() { hit ${canary}; }`,
    `${folder}/cat`,
    `-c ${folder}/cat`,
    `hit ${canary}`,
    `'hit ${canary}'`,
    `'hit ${canary};'`,
    `x 'hit ${canary}'`,
    `-c 'hit ${canary}'`,
    `'-exec hit ${canary} ;'`,
    `-exec hit ${canary} ';'`,
    `'-Shit ${canary}'`,
    `'BEGIN{system("hit ${canary}")}'`,
    `'system("hit ${canary}")'`,
    `'1e hit ${canary}'`,
    `'x/;1e hit ${canary} #'`,
    `'s/x/hit ${canary}/e'`,
    `'echo;hit ${canary}'`,
    `eval 'hit ${canary}'`,
    `'x=\`hit ${canary}\`'`,
    `'\\$(hit ${canary})'`,
    `'y@P' '$(hit ${canary})'`,
    `@P`,
    `'x[$(hit ${canary})]' -v`,
    `! -v 'x[$(hit ${canary})]'`,
    `-v = -a -v 'x[$(hit ${canary})]'`,
    `'(' -v 'x[$(hit ${canary})]' ')'`,
    `-f ${folder}/env`,
    `${folder}/env`,
    `--rcfile ${folder}/env`,
    `expand_aliases`,
  ])
}

/**
 * Makes arguments that a user or a model could give to a skill: text with a command that tells when any shell evaluates
 * it.
 * @param {Random} random
 * @param {string} canary the argument of that command
 * @param {string} evil a folder with one of the canary's name, in which every program tells that it ran
 */
export function hostileArguments(random, canary, evil) {
  if (random.once(4)) return steering(random, canary, evil)
  const words = Array.from({ length: 1 + random.below(2) }, () =>
    random.once(6) ? plainWord(random) : hostileWord(random, canary),
  )
  // Two words may make one expression.
  if (random.once(6)) words.unshift(...random.pick([['-v'], ['a['], ['x'], ['-i'], ['a[$'], ['a', '='], ['-n']]))
  return words.map(word => quoted(random, word)).join(' ')
}

/** Makes ordinary arguments. @param {Random} random */
export function honestArguments(random) {
  return random.pick([
    '123',
    'main',
    'src/app.ts',
    'feature/x-1',
    '"fix the login bug"',
    'fix the login bug',
    '42 x',
    'a.b,c',
    'user@example.com',
    '"50% off"',
    '-5',
    '2026-11-26',
    'v1.2.3 main',
    'x n',
  ])
}

/** @param {Random} random */
function plainWord(random) {
  return random.pick([
    '3',
    '-v',
    'x',
    '',
    'a',
    'n',
    '0',
    '-eq',
    '=',
    '*',
    'a[0]',
    '%s',
    '-p',
    '\\',
    'E',
    '1',
    '@',
    '-n',
    ']',
    ')',
    '))',
    '}',
    'x[1]=2',
  ])
}

/** @param {Random} random @param {string} canary */
function command(random, canary) {
  const run = random.pick([
    `hit ${canary}`,
    `hit\${IFS}${canary}`,
    `hit\t${canary}`,
    `\nhit ${canary}\n`,
    `'hit' ${canary}`,
    `{ hit ${canary}; }`,
  ])
  return random.pick([
    `$(${run})`,
    `$(${run})`,
    `\`${run}\``,
    `\${x:=$(${run})}`,
    `\${x:-\`${run}\`}`,
    `$((v[$(${run})]))`,
    `<(${run})`,
    `$[v[$(${run})]]`,
  ])
}

/** @param {Random} random @param {string} canary */
function hostileWord(random, canary) {
  const [name, run] = [random.pick(names), command(random, canary)]
  // Half of the time, the form that bash evaluates most readily.
  if (random.once(2)) return `${name === '' ? 'a' : name}[${run}]`
  return random.pick([
    `${name}[${run}]`,
    `${name}[${run}]`,
    `${name}[${run}]`,
    `1+${name}[${run}]`,
    `${name}[0]+${name}[${run}]`,
    `${name}[${run}]=1`,
    `x=${name}[${run}]`,
    `-v ${name}[${run}]`,
    `(${run})`,
    `x=(${run})`,
    `[${run}]=1`,
    `([k]=${run})`,
    `${name}[ ${run} ]`,
    `${name}[${name}[${run}]]`,
    `${name}['${run}']`,
    `${name}["${run}"]`,
    `${name}[0${run}`,
    `${run}]`,
    run,
    `"${run}"`,
    `'; hit ${canary}; '`,
    `"; hit ${canary}; "`,
    `; hit ${canary} #`,
    `\nhit ${canary}\n`,
    `E\nhit ${canary}\n`,
    `& hit ${canary}`,
    `| hit ${canary}`,
    `}; hit ${canary}; {`,
    `)); hit ${canary}; ((`,
    `]]; hit ${canary}; [[`,
    `a[\u{2003}${run}]`,
    `\u{feff}${name}[${run}]`,
    `\\${run}`,
    `a]=${run}`,
    `@(${run})`,
    `{a,${run}}`,
    `~${run}`,
    `(hit\${IFS}${canary})]`,
  ])
}

/** @param {Random} random @param {string} word */
function quoted(random, word) {
  if (whole.test(word) && !random.once(6)) return word
  return word.includes("'") ? `"${word.replaceAll(/["\\$`]/g, '\\$&')}"` : `'${word}'`
}
