// @ts-check
import { chatRoute, memoryChats } from '@skills/ai-sdk'
import { openSkills } from '@skills/host'

// Opened once, when the server starts: every chat shares it.
export const skills = await openSkills('standard', {
  cwd: process.cwd(),
  home: `${process.cwd()}/server-home`,
  trust: { all: true },
  rules: { allow: ['Skill'], deny: ['Bash'] },
  shell: false,
  onDiagnostic: ({ message }) => console.error(message),
})

/** @param {Parameters<typeof chatRoute>[0]['model']} model */
export function chatWith(model) {
  return chatRoute({
    skills,
    model,
    personOf: request => signedIn.get(request.headers.get('authorization') ?? ''),
    chats: memoryChats(), // Over your database: read(person, chat) and write(person, chat, value).
    toolsFor: () => ({}), // The tools that this person may use.
    maxSteps: 10,
    onError: error => console.error(error),
  })
}

/** Your own login: the people by what their browser sends. */
const signedIn = new Map([
  ['Bearer ann-1', 'ann'],
  ['Bearer ben-2', 'ben'],
])
