import { describe, expect, it } from 'vitest'
import { BlobUrl } from './blob-url.ts'

describe('the address of an object store', () => {
  it('names bucket, prefix, endpoint and region', () => {
    expect(
      BlobUrl.parse('s3://evidence/north/station-12?endpoint=https://s3.example.org&region=eu-1&pathStyle=true'),
    ).toEqual({
      bucket: 'evidence',
      prefix: 'north/station-12/',
      endpoint: 'https://s3.example.org',
      region: 'eu-1',
      pathStyle: true,
    })
    expect(BlobUrl.parse('s3://evidence')).toEqual({
      bucket: 'evidence',
      prefix: '',
      endpoint: null,
      region: 'us-east-1',
      pathStyle: false,
    })
    expect(BlobUrl.parse('s3://evidence/a/').prefix).toBe('a/')
  })

  it.each([
    ['https://evidence/a', /s3:\/\//],
    ['s3://KEY:SECRET@evidence', /credentials/],
    ['s3://evidence?bucket=other', /unknown parameter/],
    ['s3://e', /bucket/],
    ['s3://evidence/a b', /prefix/],
    ['s3://evidence/.hidden', /prefix/],
    ['s3://evidence/a//b', /prefix/],
    ['s3://evidence?endpoint=ftp://x', /endpoint/],
    ['s3://evidence?endpoint=http://10.0.0.5:9000', /https/],
    ['s3://evidence?pathStyle=yes', /pathStyle/],
  ])('refuses %s', (text, why) => {
    const parsed = BlobUrl.safeParse(text)
    expect(parsed.success ? 'taken' : parsed.error.issues[0]?.message).toMatch(why)
  })

  it.each(['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost:8080'])(
    'takes %s, which leaves no machine',
    (endpoint) => {
      expect(BlobUrl.parse(`s3://evidence?endpoint=${endpoint}`).endpoint).toBe(endpoint)
    },
  )
})
