// @ts-check
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { apart, unprivileged } from '../unprivileged.mjs'

const traced =
  'execve,openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,mknod,mknodat'
/**
 * Programs that a program starts as a part of itself, besides those that it starts without any option. A shell that git
 * or npm starts for its helpers counts as a part: if it started the canary in turn, that would be seen.
 */
const ownPrograms = /** @type {Record<string, RegExp>} */ ({
  git: /^(?:git(?:-[\w-]+)?|less|pager|ssh|sh)$/,
  tar: /^(?:gzip|bzip2|xz|lzma|zstd|compress|lzip|lzop)$/,
  journalctl: /^(?:less|pager|more)$/,
  systemctl: /^(?:less|pager|more|systemd-tty-ask-password-agent)$/,
  gh: /^(?:git|less|pager)$/,
  apt: /^(?:dpkg|less|pager)$/,
  dpkg: /^(?:dpkg-query|less|pager|sh)$/,
  'dpkg-query': /^(?:less|pager|sh)$/,
  bat: /^less$/,
  batcat: /^less$/,
  npm: /^(?:node|sh|git|npm)$/,
  // It reports the system to a registry.
  pip: /^(?:lsb_release|getopt|cut|tr|uname)$/,
  pip3: /^(?:lsb_release|getopt|cut|tr|uname)$/,
  // A script names the program that runs it.
  perl: /^sh$/,
})

/** Matches the pager that the environment of a call names. */
const pagers = /^(?:paging|cat)$/

/** Returns true if calls can be watched: as another user, and without a network. */
export function canTrace() {
  const has = (/** @type {string} */ name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
  return process.getuid?.() === 0 && ['strace', 'setpriv', 'unshare', 'timeout', 'script', 'git'].every(has)
}

/** Runs calls, each in a new copy of the same folder, and returns what they start and write besides their own. */
export class Tracer {
  #folder
  /** @type {Map<string, { started: Set<string>, wrote: Set<string> }>} */
  #own = new Map()

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder
    chmodSync(folder, 0o755)
    const start = `${folder}/start`
    for (const one of ['start/folder', 'start/chart/templates', 'bin', 'home', 'tmp'])
      mkdirSync(`${folder}/${one}`, { recursive: true })
    for (const one of ['start/canary', 'bin/canary'])
      writeFileSync(`${folder}/${one}`, '#!/bin/sh\n:\n', { mode: 0o755 })
    writeFileSync(`${folder}/bin/paging`, '#!/bin/sh\nexec cat >/dev/null\n', { mode: 0o755 })
    writeFileSync(`${start}/keep`, 'a\nb\n')
    writeFileSync(`${start}/other`, 'a\nc\n')
    writeFileSync(`${start}/many`, Array.from({ length: 20_000 }, (_, at) => `${at}\n`).join(''))
    writeFileSync(`${start}/code.ts`, 'export const a = 1\n')
    writeFileSync(`${start}/keep.md`, '# a\n')
    writeFileSync(`${start}/code`, '')
    writeFileSync(`${start}/words`, '--exec\n./canary\n')
    writeFileSync(`${start}/data.json`, '{"a":1}')
    writeFileSync(`${start}/package.json`, '{"name":"a","version":"1.0.0","scripts":{"build":"true","test":"true"}}')
    writeFileSync(`${start}/Makefile`, 'all:\n\t@true\n')
    writeFileSync(`${start}/chart/Chart.yaml`, 'apiVersion: v2\nname: a\nversion: 0.1.0\n')
    const git =
      'git init -q && git config user.name a && git config user.email a@b && git add keep && git commit -qm a && ' +
      'git remote add origin /nonexistent'
    spawnSync('sh', ['-c', `${git}; tar cf a.tar keep; zip -q a.zip keep`], { cwd: start })
    spawnSync('chown', ['-R', String(unprivileged), start, `${folder}/home`, `${folder}/tmp`])
  }

  /**
   * @param {string} call
   * @param {string} plain the call without the option that is tried
   * @returns {{ started: string[], wrote: string[] }}
   */
  run(call, plain) {
    const [name = ''] = plain.split(' ')
    const { started, wrote } = this.#trace(call)
    const own = this.#ownOf(plain)
    const isOwn = (/** @type {string} */ one) =>
      own.started.has(one) || pagers.test(one) || ownPrograms[name]?.test(one) === true
    return { started: started.filter(one => !isOwn(one)), wrote: wrote.filter(one => !own.wrote.has(one)) }
  }

  /**
   * Returns what a program starts and writes without any option: itself, under all its names, and its own files.
   * @param {string} plain
   */
  #ownOf(plain) {
    let own = this.#own.get(plain)
    if (own === undefined) {
      const { started, wrote } = this.#trace(plain)
      own = { started: new Set([plain.split(' ')[0] ?? '', ...started]), wrote: new Set(wrote) }
      own.started.delete('canary')
      this.#own.set(plain, own)
    }
    return own
  }

  /** @param {string} call */
  #trace(call) {
    const [work, log] = [`${this.#folder}/work`, `${this.#folder}/log`]
    rmSync(work, { recursive: true, force: true })
    spawnSync('cp', ['-a', `${this.#folder}/start`, work])
    rmSync(log, { force: true })
    writeFileSync(log, '')
    chownSync(log, unprivileged, unprivileged)
    // Some programs start a pager only in a terminal, and wait for input there.
    writeFileSync(`${this.#folder}/call`, `ulimit -f 2000; exec </dev/null; ${call}\n`)
    const strace = `exec strace -f -qq -s 300 -e trace=${traced} -o ${log} bash --norc --noprofile ${this.#folder}/call`
    spawnSync('unshare', [...apart(5), 'script', '-qec', strace, '/dev/null'], {
      cwd: work,
      env: {
        PATH: `${process.env['PATH']}:${this.#folder}/bin`,
        HOME: `${this.#folder}/home`,
        TMPDIR: `${this.#folder}/tmp`,
        LANG: 'C',
        SHELL: '/bin/sh',
        TERM: 'xterm',
        PAGER: 'paging',
        LESSHISTFILE: '-',
        CHECKPOINT_DISABLE: '1',
        npm_config_update_notifier: 'false',
        npm_config_cache: `${this.#folder}/tmp/npm`,
        npm_config_logs_max: '0',
      },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 10_000,
    })
    return this.#read(readFileSync(log, 'utf8'))
  }

  /** @param {string} log */
  #read(log) {
    const started = new Set(/** @type {string[]} */ ([]))
    const wrote = new Set(/** @type {string[]} */ ([]))
    let isFirst = true
    for (const line of log.split('\n')) {
      const [, name = '', args = '', result = ''] = /^\d+ +(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? []
      if (name === 'execve') {
        if (isFirst) isFirst = false
        else if (result === '0') started.add(/"([^"]*)"/.exec(args)?.[1]?.split('/').at(-1) ?? '')
        continue
      }
      if (name === '' || Number(result) < 0) continue
      if (name.startsWith('open') && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args)) continue
      const path = [...args.matchAll(/"([^"]*)"/g)].at(-1)?.[1] ?? ''
      if (/^\/dev\/|^\/proc\//.test(path) || `${path}/`.startsWith(`${this.#folder}/tmp/`)) continue
      wrote.add(path)
    }
    return { started: [...started], wrote: [...wrote] }
  }
}
