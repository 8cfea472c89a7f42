export { chatRoute, type ChatRouteOptions } from './chat-route.js'
export { memoryChats, type Chats, type ChatValue } from './chats.js'
export { aiSdkSkills, type AiSdkSkills, type AiSdkSkillsOptions } from './skill-tools.js'
