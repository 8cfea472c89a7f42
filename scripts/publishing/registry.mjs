// @ts-check
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * @typedef {object} Registry
 * @property {string} url on loopback, with a slash at its end
 * @property {ReadonlyMap<string, Document>} packages the published packages, by name
 * @property {() => Promise<void>} close
 *
 * @typedef {{ name: string, 'dist-tags': Record<string, string>, versions: Record<string, any>, tarballs: Map<string, Buffer> }} Document
 */

const largest = 64 * 1024 * 1024

/**
 * Starts a registry on the loopback that accepts what `npm publish` sends and serves what `npm install` asks for. Like
 * the public one, it refuses a version that exists, and a tarball that does not match its integrity.
 * @returns {Promise<Registry>}
 */
export async function startRegistry() {
  /** @type {Map<string, Document>} */
  const packages = new Map()
  let url = ''
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body, type = 'application/json' }) => {
        response.writeHead(status, { 'content-type': type }).end(body)
      },
      error => {
        response.writeHead(500).end(JSON.stringify({ error: String(error) }))
      },
    )
  })

  /**
   * @param {import('node:http').IncomingMessage} request
   * @returns {Promise<{ status: number, body: string | Buffer, type?: string }>}
   */
  async function answer(request) {
    const path = decodeURIComponent(new URL(request.url ?? '/', url).pathname.slice(1))
    const [, name = path, file] = /^(.+)\/-\/([^/]+\.tgz)$/.exec(path) ?? []
    const known = packages.get(name)
    if (request.method === 'PUT') return published(name, JSON.parse((await bytesOf(request)).toString('utf8')))
    if (request.method !== 'GET' || known === undefined) return refusal(404, `There is no package ${name}.`)
    if (file === undefined) return { status: 200, body: JSON.stringify(known) }
    const tarball = known.tarballs.get(file)
    return tarball === undefined
      ? refusal(404, `${name} has no ${file}.`)
      : { status: 200, body: tarball, type: 'application/octet-stream' }
  }

  /**
   * @param {string} name
   * @param {any} sent
   */
  function published(name, sent) {
    /** @type {Document} */
    const document = packages.get(name) ?? { name, 'dist-tags': {}, versions: {}, tarballs: new Map() }
    for (const [version, manifest] of Object.entries(sent.versions)) {
      if (Object.hasOwn(document.versions, version)) return refusal(409, `${name}@${version} is published already.`)
      const { _attachments: attachments } = sent
      const [attachment] = Object.values(attachments)
      const tarball = Buffer.from(attachment.data, 'base64')
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      if (manifest.dist.integrity !== integrity)
        return refusal(400, `${name}@${version} is not the tarball that its integrity says.`)
      const file = `${name.split('/').at(-1)}-${version}.tgz`
      document.tarballs.set(file, tarball)
      document.versions[version] = { ...manifest, dist: { ...manifest.dist, tarball: `${url}${name}/-/${file}` } }
    }
    Object.assign(document['dist-tags'], sent['dist-tags'])
    packages.set(name, document)
    return { status: 201, body: '{}' }
  }

  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The registry has no port.')
  url = `http://127.0.0.1:${address.port}/`
  return {
    url,
    packages,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * @param {number} status
 * @param {string} error
 */
function refusal(status, error) {
  return { status, body: JSON.stringify({ error }) }
}

/** @param {import('node:http').IncomingMessage} request */
async function bytesOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largest) throw new Error(`more than ${largest} bytes were sent`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
