/*
 * The PDF worker loads its picture decoders from one folder under fixed names. Files here carry their hash in their names, so this one
 * stands for both: its address says where each lies and which one is meant (see open-pdf.ts). It is served as it stands here.
 */
const asked = new URL(import.meta.url).searchParams
const name = asked.get('file')?.startsWith('/jbig2') ? 'jbig2' : 'openjpeg'
const { default: decoder } = await import(asked.get(name))

export default decoder
