/** The virtual authenticator of Chromium: a device with a fingerprint reader, whose person is there and is who they are. */
import type { CDPSession, Page } from 'playwright-core'

export interface Authenticator {
  /** Whether the finger is the right one, from now on. */
  verifies(person: boolean): Promise<void>
  /** Whether anybody is there to touch it, from now on: what was asked before waits for that. */
  present(person: boolean): Promise<void>
  credentials(): Promise<number>
}

export async function withAuthenticator(page: Page): Promise<Authenticator> {
  const debug: CDPSession = await page.context().newCDPSession(page)
  await debug.send('WebAuthn.enable')
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: async (isUserVerified) =>
      void (await debug.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    present: async (enabled) =>
      void (await debug.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    credentials: async () => (await debug.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
