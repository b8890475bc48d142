import { describe, expect, it } from 'vitest'
import { withVerifiedTls } from './connections.ts'

describe('the address of a PostgreSQL server', () => {
  it('asks for TLS with a verified certificate', () => {
    expect(withVerifiedTls('postgres://u:p@db.example.org/sallyport')).toBe(
      'postgres://u:p@db.example.org/sallyport?sslmode=verify-full',
    )
    expect(withVerifiedTls('postgres://u@db.example.org/s?sslrootcert=/etc/ca.pem')).toBe(
      'postgres://u@db.example.org/s?sslrootcert=%2Fetc%2Fca.pem&sslmode=verify-full',
    )
  })

  it('stays as it is where it says how, or names this machine', () => {
    for (const url of [
      'postgres://u@db.example.org/s?sslmode=disable',
      'postgres://u@127.0.0.1:5432/s',
      'postgres://u@localhost/s',
      'postgres://u@[::1]/s',
    ])
      expect(withVerifiedTls(url)).toBe(url)
  })
})
