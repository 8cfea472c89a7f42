/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { ChatRouteOptions } from './chat-route.js'
export type { Chats, ChatValue } from './chats.js'
export type { AiSdkSkills, AiSdkSkillsOptions } from './skill-tools.js'
