// @ts-check
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../packages/config/anchors.mjs'

/** What `build.mjs` found: the entries beside the pages. */
const menus = JSON.parse(readFileSync(fileURLToPath(new URL('../.pages/menus.json', import.meta.url)), 'utf8'))

export default defineConfig({
  title: '@skills',
  description: 'A skill engine for agents: a minimal core, everything else a plugin.',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: false,
  // A link that leads nowhere ends the build.
  ignoreDeadLinks: false,
  markdown: {
    // Texts show `<name>` and mean it.
    html: false,
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorials', link: '/tutorials/skill-author' },
      { text: 'How to', link: '/guides/not-showing' },
      { text: 'Reference', link: '/reference' },
      { text: 'Packages', link: '/packages' },
    ],
    sidebar: menus,
  },
})
