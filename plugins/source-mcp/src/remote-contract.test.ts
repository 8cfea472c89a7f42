import type { Remote, SampleSkill } from '@skills/testing'
import type { RemoteFixture } from '@skills/testing/internal'
import { testRemoteSource } from '@skills/testing/vitest'
import { gate } from '../test/engine.js'
import { McpServer, refuse, type Answer } from '../test/mcp-server.js'
import { mcpSource } from './index.js'

/** Functions for one kind of a server's offers, and its notification of changes. */
interface Offer {
  put(skill: SampleSkill): void
  remove(name: string): void
  readonly changed: string
}

const prompts = (server: McpServer): Offer => {
  server.answers['prompts/get'] = ({ name }) => ({
    messages: [
      {
        role: 'user',
        content: { type: 'text', text: server.files.get(String(name)) ?? refuse(`There is no prompt ${String(name)}`) },
      },
    ],
  })
  return {
    put({ name, description, body }) {
      server.removePrompt(name)
      server.prompts.push({ name, description })
      server.files.set(name, body)
    },
    remove: name => server.removePrompt(name),
    changed: 'notifications/prompts/list_changed',
  }
}

const skills = (server: McpServer): Offer => {
  // The client listens only to a server that declares the notification.
  server.capabilities = { ...server.capabilities, resources: { listChanged: true } }
  return {
    put: ({ name, description, body }) => server.putSkill(name, { name, description }, body),
    remove: name => server.removeSkill(name),
    changed: 'notifications/resources/list_changed',
  }
}

/** State of a server: whether it runs, and what happens to its answers. */
class Fortune {
  isOn = false
  #isGarbled = false
  #released: Promise<void> | undefined
  #asked = (): void => {}

  /** Returns an answer as it arrives, if it does. */
  over(answer: Answer): Answer {
    return async params => {
      this.#asked()
      await this.#released
      // A request to a server that has ended gets no answer.
      if (!this.isOn) await new Promise(() => {})
      return this.#isGarbled ? 'garbage' : answer(params)
    }
  }

  delay: Remote['delay'] = () => {
    const [released, asked] = [gate(), gate()]
    this.#released = released.opened
    this.#asked = asked.open
    return {
      asked: asked.opened,
      release: () => {
        this.#released = undefined
        released.open()
      },
    }
  }

  garble = (): (() => void) => {
    this.#isGarbled = true
    return () => {
      this.#isGarbled = false
    }
  }
}

function fixture(offerOf: (server: McpServer) => Offer): RemoteFixture {
  const [server, fortune] = [new McpServer(), new Fortune()]
  const { put, remove, changed } = offerOf(server)
  for (const [method, answer] of Object.entries(server.answers)) server.answers[method] = fortune.over(answer)
  const transport = (): ReturnType<McpServer['transport']> => {
    if (!fortune.isOn) throw new Error('The server does not run.')
    return server.transport()
  }
  return {
    // With the waiting time of a program that sets none.
    provider: mcpSource({ servers: { s: { transport } } }),
    nameOf: name => `mcp__s__${name}`,
    remote: {
      put(added) {
        for (const skill of added) put(skill)
        server.notify(changed)
      },
      remove(name) {
        remove(name)
        server.notify(changed)
      },
      start() {
        fortune.isOn = true
      },
      stop() {
        fortune.isOn = false
        return server.die()
      },
      delay: fortune.delay,
      garble: fortune.garble,
      connections: () => server.connections,
    },
  }
}

testRemoteSource('prompts of a server that comes and goes', () => fixture(prompts))
testRemoteSource('skills of a server that comes and goes', () => fixture(skills))
