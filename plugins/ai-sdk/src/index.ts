export { chatRoute } from './chat-route.js'
export { memoryChats } from './chats.js'
export { aiSdkSkills } from './skill-tools.js'
