import { z } from 'zod'
import { TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** The key that uploads are encrypted for: decisions 6, "Encrypted uploads". */

export const TenantKeyModel = z
  .object({
    kty: z.literal('RSA'),
    n: z.string().meta({ description: 'base64url' }),
    e: z.string().meta({ description: 'base64url' }),
    kid: z.string().meta({ description: 'To be sent as KeyId; the SHA-256 thumbprint of the key (RFC 7638).' }),
    use: z.literal('enc'),
    alg: z.literal('RSA-OAEP'),
  })
  .meta({ id: 'TenantKey' })

export const getTenantKey = route({
  id: 'getTenantKey',
  interface: 'key',
  method: 'GET',
  path: '/keystore/api/v1/tenant/:tenantName/key',
  origin: 'decision',
  summary: 'The public key that uploads may be encrypted for, as a JSON Web Key',
  description:
    'The content is encrypted by AES-256-CBC with PKCS7 padding under a fresh key, the key by RSA-OAEP with SHA-1 for this one. The header `x-ms-meta-encryptiondata` of Put Blob or Put Block List says so: { ContentEncryptionIV, EncryptionAgent: { EncryptionAlgorithm: "AES_CBC_256", Protocol: "1.0" }, EncryptionMode: "FullBlob", KeyWrappingMetadata, WrappedContentKey: { Algorithm: "RSA-OAEP", EncryptedKey, KeyId } }, byte arrays in base64. A key that was replaced opens what was encrypted for it for a week, and longer while an open upload names it.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'tenantKey.read', objectType: 'key' },
  params: Tenant,
  responses: { 200: TenantKeyModel },
  errors: ['TenantNotFound'],
})
