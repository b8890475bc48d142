import { describe, expect, it } from 'vitest'
import pg from 'pg'
import { isAway } from '../sqlite/sql-connection.ts'
import { failureOf, withVerifiedTls } from './connections.ts'

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

describe('B4: a failure', () => {
  it.each(['EPIPE', 'ECONNRESET', 'ETIMEDOUT', undefined])('of the network (%s) is a lost connection', (code) => {
    const failure = failureOf(Object.assign(new Error('it ended'), { code }))
    expect([failure.code, isAway(failure)]).toEqual(['08006', true])
  })

  it('that the server states is what it states', () => {
    const stated = new pg.DatabaseError('duplicate key', 10, 'error')
    stated.code = '23505'
    const failure = failureOf(stated)
    expect([failure.code, isAway(failure)]).toEqual(['23505', false])
  })
})
