/** The session cookie of people. */
import { tokenCookie } from '../../../kernel/token-cookie.ts'

export { newToken, tokenHash } from '../../../kernel/token-cookie.ts'
export const {
  nameAt: cookieName,
  set: setCookie,
  clear: clearCookie,
  read: tokenFrom,
} = tokenCookie('sallyport_session')
