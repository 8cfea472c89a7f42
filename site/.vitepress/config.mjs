// @ts-check
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../packages/config/anchors.mjs'
import { miniSearch } from '../search.mjs'

/** Menus beside the pages, as `build.mjs` wrote them. */
const menus = JSON.parse(readFileSync(fileURLToPath(new URL('../.pages/menus.json', import.meta.url)), 'utf8'))

export default defineConfig({
  title: '@skills',
  description: 'Finds the skills of AI agents, says where each comes from, and why a model is or is not told of it.',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: false,
  // A link that leads nowhere ends the build.
  ignoreDeadLinks: false,
  markdown: {
    // `<name>` in a text is text, not HTML.
    html: false,
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch } },
    outline: [2, 3],
    nav: [
      { text: 'Documents', link: '/documents' },
      { text: 'Tutorials', link: '/tutorials/skill-author' },
      { text: 'How to', link: '/guides/not-showing' },
      { text: 'Reference', link: '/reference' },
      { text: 'Packages', link: '/packages' },
    ],
    sidebar: menus,
  },
})
