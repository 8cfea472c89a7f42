#!/usr/bin/env node
// node bench/install.mjs [--runs N --against FOLDER]: measures installing; each figure is the best of N whole
// processes. It runs ci of 100 skills out of a warm cache, verify of 1,000, and add of one out of a repository of 3,000
// that a git server on the loopback serves. FOLDER has another installer (npm install --prefix FOLDER skills@1), which
// adds the same skill in turn.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' }, against: { type: 'string' } } })
const cli = fileURLToPath(new URL('../packages/cli/dist/skills.cjs', import.meta.url))
const peak = fileURLToPath(new URL('measure/peak-of.cjs', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/skills-install-bench-`)
const env = {
  PATH: process.env.PATH,
  HOME: `${folder}/home`,
  GIT_CONFIG_NOSYSTEM: '1',
  DISABLE_TELEMETRY: '1',
  DO_NOT_TRACK: '1',
}

try {
  for (const [name, count] of Object.entries({ hundred: 100, thousand: 1000, 'server/all.git': 3000 }))
    makeSkills(name, count)
  git('server/all.git', 'init', '--quiet')
  git('server/all.git', 'add', '--all')
  git('server/all.git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=x')
  for (const project of ['ci', 'verify', 'add', 'other']) mkdirSync(`${folder}/${project}/.git`, { recursive: true })
  await run('ci', [cli, 'add', '../hundred', '--all', '--yes'])
  await run('verify', [cli, 'add', '../thousand', '--all', '--yes'])
  report('ci of 100 skills, warm cache', 1500, await best('ci', [cli, 'ci', '--offline'], ['.agents']))
  report('verify of 1,000 skills', 600, await best('verify', [cli, 'verify'], []))
  const { url, close } = await serve(`${folder}/server`)
  const add = [cli, 'add', `git+${url}/all.git`, '--skill', 'skill-5', '--yes']
  const left = ['.agents', '.claude', 'skills.json', 'skills.lock.json', 'skills-lock.json']
  const other = values.against && [
    `${values.against}/node_modules/skills/bin/cli.mjs`,
    'add',
    `${url}/all.git`,
    '--skill',
    'skill-5',
    '--yes',
    '--agent',
    'claude-code',
  ]
  const figures = { ours: await best('add', add, left), theirs: other && (await best('other', other, left)) }
  report('add of one skill out of 3,000', figures.theirs && figures.theirs.ms / 2, figures.ours)
  if (figures.theirs) report('  the other installer', undefined, figures.theirs)
  close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function makeSkills(name, count) {
  for (let at = 0; at < count; at++) {
    const skill = `${folder}/${name}/skills/skill-${at}`
    mkdirSync(skill, { recursive: true })
    writeFileSync(
      `${skill}/SKILL.md`,
      `---\nname: skill-${at}\ndescription: It does ${at}.\n---\n${`Line ${at}.\n`.repeat(80)}`,
    )
    writeFileSync(`${skill}/reference.md`, `Reference ${at}.\n`.repeat(100))
    writeFileSync(`${skill}/run.sh`, `#!/bin/sh\necho ${at}\n`, { mode: 0o755 })
  }
}

function git(name, ...args) {
  const { status, stderr } = spawnSync('git', args, { cwd: `${folder}/${name}`, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

/** Runs a process without blocking this one, which is the server. */
function run(project, args) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(process.execPath, ['--require', peak, ...args], {
      cwd: `${folder}/${project}`,
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    const said = { 2: '', 3: '' }
    for (const fd of [2, 3]) child.stdio[fd].on('data', piece => (said[fd] += piece))
    child.once('error', reject).once('close', code => {
      if (code !== 0) return reject(new Error(`${args.join(' ')} ended with ${code}: ${said[2]}`))
      const isThere = ['.agents', '.claude'].some(at => existsSync(`${folder}/${project}/${at}/skills/skill-5/run.sh`))
      if (!isThere) return reject(new Error(`${args.join(' ')} installed nothing: ${said[2]}`))
      resolve({ ms: performance.now() - start, kib: Number(said[3]) })
    })
  })
}

async function best(project, args, left) {
  const found = []
  for (let at = 0; at < Number(values.runs); at++) {
    for (const name of left) rmSync(`${folder}/${project}/${name}`, { recursive: true, force: true })
    found.push(await run(project, args))
  }
  return { ms: Math.min(...found.map(one => one.ms)), kib: Math.max(...found.map(one => one.kib)) }
}

function report(what, limitMs, { ms, kib }) {
  const isWithin = limitMs === undefined || ms <= limitMs
  const limit = limitMs === undefined ? '' : `  at most ${limitMs.toFixed(0)} ms${isWithin ? '' : '  TOO SLOW'}`
  console.log(`${what.padEnd(32)} ${ms.toFixed(0).padStart(6)} ms  ${(kib / 1024).toFixed(0).padStart(4)} MiB${limit}`)
  if (!isWithin) process.exitCode = 1
}

/** Starts a git server over HTTP. */
async function serve(root) {
  const backend = `${execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()}/git-http-backend`
  const server = createServer((request, response) => {
    const [path, query = ''] = request.url.split('?')
    const child = spawn(backend, [], {
      env: {
        ...env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
        REMOTE_ADDR: '127.0.0.1',
      },
    })
    request.pipe(child.stdin)
    let head = Buffer.alloc(0)
    child.stdout.on('data', piece => {
      if (head === undefined) return response.write(piece)
      head = Buffer.concat([head, piece])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name, value = ''] = line.split(/: (.*)/)
        if (name === 'Status') response.statusCode = Number.parseInt(value)
        else response.setHeader(name, value)
      }
      response.write(head.subarray(end + 4))
      head = undefined
    })
    child.stdout.on('end', () => response.end())
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}
