/** The renderer, as it is served: hashed files, no inline script or style (the page's policy allows none), gzip and brotli beside each. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { schemasApart } from './schemas-apart.ts'
import { noticeOf, noticesText, packageOf } from './scripts/notices.ts'

const COMPRESSIBLE = /\.(js|mjs|css|html|svg|json|txt|webmanifest)$/
/**
 * Large files that few pages fetch, without gzip beside them. Browsers take brotli over TLS, which is all of the LAN. Over plain loopback some do not;
 * they get these as they are, and no network is between.
 */
const WITHOUT_GZIP = /\/(?:pdf-worker|pdf-view|LiberationSans|Foxit|countries|map-view)[^/]*$/

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // After all is written, and only then: a build that failed has a reason of its own to tell.
    writeBundle: async ({ dir = '' }) => {
      const names = await readdir(dir, { recursive: true })
      await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => writeCompressed(join(dir, name))))
    },
  }
}

/** On the threads of libuv, which use every processor: this is more than half of the work of a build. */
async function writeCompressed(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < 1024) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await Promise.all([
    ...(WITHOUT_GZIP.test(path)
      ? []
      : [promisify(gzip)(bytes, { level: 9 }).then((made) => writeFile(`${path}.gz`, made))]),
    promisify(brotliCompress)(bytes, { params }).then((made) => writeFile(`${path}.br`, made)),
  ])
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
const LANGUAGES = /^import \S+ from "[^"]*\/(?!en-US|fr-FR)[a-z]{2}-[A-Z]{2}\.mjs";$/gm
const OF_LANGUAGES = /^\s*"(?!en-US|fr-FR)[a-z]{2}-[A-Z]{2}": .*$/gm

function twoLanguages(): Plugin {
  return {
    name: 'two-languages',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/node_modules/react-') || !id.endsWith('/intlStrings.mjs')) return null
      const without = code.replaceAll(LANGUAGES, '').replaceAll(OF_LANGUAGES, '')
      if (/\bde-DE\b/.test(without)) this.error('the component library keeps its languages in another way now')
      return { code: without, map: null }
    },
  }
}

/** The component library knows thirteen calendars; the interface has one. */
function oneCalendar(): Plugin {
  let replaced = false
  return {
    name: 'one-calendar',
    apply: 'build',
    load(id) {
      if (!id.endsWith('/@internationalized/date/dist/private/createCalendar.mjs')) return null
      replaced = true
      return `import { GregorianCalendar } from './calendars/GregorianCalendar.mjs'
export const createCalendar = () => new GregorianCalendar()`
    },
    buildEnd(error) {
      if (error === undefined && !replaced) this.error('the component library keeps its calendars in another way now')
    },
  }
}

/**
 * Schemas can describe themselves as JSON Schema, which the station publishes and no page asks for. And they would try to make code at run
 * time, which the policy of the page forbids.
 */
function schemaLibrary(): Plugin {
  return {
    name: 'schema-library',
    apply: 'build',
    transform(code, id) {
      if (id.endsWith('/zod/v4/core/core.js')) {
        const jitless = code.replace(/^(.*\bglobalConfig = .*)$/m, '$1\nglobalConfig.jitless = true;')
        if (jitless === code) this.error('zod keeps its settings in another way now')
        return { code: jitless, map: null }
      }
      if (!id.endsWith('/zod/v4/classic/schemas.js')) return null
      const without = code
        .replaceAll(/^ *inst\._zod\.processJSONSchema = \(ctx, json, params\) => .*;$/gm, '')
        .replaceAll(/\bcreate(?:Standard|To)JSONSchemaMethod\((?:inst|this)[^)]*\)/g, '(() => undefined)')
      if (/processJSONSchema|JSONSchemaMethod\(/.test(without)) this.error('zod makes JSON Schema in another way now')
      return { code: without, map: null }
    },
  }
}

/** Files of their own: what is without fields, tables, days, places or messages of dispatch does without their parts. */
const APART =
  /\/shared\/kernel\/(?:coordinates|transverse-mercator|wkt-shapes)|\/shared\/dispatch\/reasons|\/renderer\/client\/(?:cad|connection)-reasons|\/renderer\/ui\/(?:table\/|filter\/|notes\/|thread\/|qr\/|command\/sheet|field\/(?:field|choice|radio-group|number-parts)|date-time\/date-time-parts)/
const PARTS =
  /\/renderer\/(?:ui|client)\/|\/node_modules\/@tanstack\/|\/shared\/(?!messages\/|.*[/.]messages\.|.*\?schemas$)/
/** What forms judge by: the library, and what most schemas are made of. */
const SCHEMAS = /\/shared\/kernel\/.*\?schemas$|\/node_modules\/zod\//
/** What is fetched later than its page stays apart, and so does what judges a draft: it needs schemas. */
const FEATURES = /\/renderer\/features\/(?!evidence\/page\/(?:where|pdf|picture|text|marks|notes)\/|.*\/draft\.ts$)/
/** A folder of a feature is a file. Of the administration the lists are one, what opens beside them another. */
function featureOf(id: string): string {
  const [, feature = 'parts', folder] = /\/features\/([^/]+)(?:\/([^/]+))?\//.exec(id) ?? []
  if (feature !== 'administration') return folder === undefined ? feature : `${feature}-${folder}`
  if (folder === 'cad' || folder === 'dispatch' || folder === 'network') return `${feature}-${folder}`
  const ofList = folder === undefined || folder === 'editing' || /(?:-labels\.tsx?|targets\.ts|\.css)$/.test(id)
  return ofList ? feature : `${feature}-forms`
}

export default defineConfig({
  root: fileURLToPath(new URL('../renderer', import.meta.url)),
  base: '/',
  plugins: [react(), twoLanguages(), oneCalendar(), schemasApart(), schemaLibrary(), thirdPartyNotices(), compressed()],
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
          // A group takes along what its modules import, so what most pages need comes first: what every page needs, small parts and what
          // several pages ask of the station, fields, tables. Lists, dialogs and days are fetched where one is shown. Then what the pages of
          // a feature share.
          groups: [
            { name: 'first', tags: ['$initial'], priority: 9 },
            { name: 'parts', test: (id) => PARTS.test(id) && !APART.test(id), minShareCount: 3, priority: 8 },
            { name: 'schemas', test: SCHEMAS, priority: 7 },
            { name: 'coordinates', test: /\/shared\/kernel\/(?:coordinates|transverse-mercator)/, priority: 7 },
            { name: 'fields', test: /\/renderer\/ui\/field\/(?:field|choice)\.tsx$/, priority: 7 },
            { name: 'radios', test: /\/renderer\/ui\/field\/radio-group\.tsx$/, priority: 7 },
            { name: 'table', test: /\/renderer\/ui\/(?:table|filter)\//, minShareCount: 2, priority: 6 },
            {
              name: 'choices',
              test: /\/renderer\/ui\/(?:dialog\/dialog-surface|select\/select-field|popover\/[a-z]*-surface)\.tsx$/,
              priority: 5,
            },
            { name: 'combobox', test: /\/renderer\/ui\/combobox\/combobox-field\.tsx$/, priority: 4 },
            { name: 'dates', test: /\/renderer\/ui\/date-time\/date-time-parts\.tsx$/, priority: 4 },
            { name: featureOf, debugName: 'features', test: FEATURES, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})
