/** The renderer, as it is served: hashed files, no inline script or style (the page's policy allows none), gzip and brotli beside each. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractForPages } from './contract-for-pages.ts'
import { noticeOf, noticesText, packageOf } from './scripts/notices.ts'

const COMPRESSIBLE = /\.(js|mjs|css|html|svg|json|txt|webmanifest)$/

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // After all is written, and only then: a build that failed has a reason of its own to tell.
    writeBundle: ({ dir = '' }) => {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(name)) continue
        const bytes = readFileSync(join(dir, name))
        if (bytes.length < 1024) continue
        writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }))
      }
    },
  }
}

/** The licences of all that was bundled, beside the pages. */
function thirdPartyNotices(): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((one) =>
        one.type === 'chunk' ? one.moduleIds : one.originalFileNames,
      )
      // Styles and data become assets or are inlined: the graph names them too.
      const packages = [...modules, ...this.getModuleIds()].map(packageOf).filter((found) => found !== null)
      const source = noticesText('Third-party software in the pages of Sallyport', [...new Set(packages)].map(noticeOf))
      this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source })
    },
  }
}

/** The component library carries its own words in thirty languages; the interface speaks two. */
const OTHER_LANGUAGES =
  /node_modules\/(?:react-aria|react-stately|react-aria-components)\/.*\/intl\/.*\/?(?!en-US|fr-FR)[a-z]{2}-[A-Z]{2}\.m?js$/

function twoLanguages(): Plugin {
  return {
    name: 'two-languages',
    load: (id) => (OTHER_LANGUAGES.test(id) ? 'export default {}' : null),
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../renderer', import.meta.url)),
  base: '/',
  plugins: [react(), twoLanguages(), contractForPages(), thirdPartyNotices(), compressed()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: ['chrome140', 'firefox140', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs is one file, the list that is shown first another: many small ones compress worse and wait for each other.
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'list', test: /\/renderer\/features\/evidence\/list\/list-page\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
