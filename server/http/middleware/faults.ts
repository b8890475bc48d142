import { FAULTS } from '../../../shared/kernel/errors.ts'
import type { Middleware } from '../context.ts'
import { faultAnswer, faultOf, interfaceOfPath, type Translate } from '../errors.ts'
import { send } from '../wire.ts'

/** Turns errors of the inner layers into replies. Failures of the station (500 and above) are logged with their cause. */
export const faults =
  (translate?: Translate): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { correlationId, log, route, signal } = ctx.state
      // The client is gone, and the handler was stopped by its signal: nothing to answer and nothing to log.
      if (signal.aborted && ctx.res.destroyed) return
      const fault = faultOf(error, translate)
      if (FAULTS[fault.code] >= 500)
        log.error({ correlationId, route: route?.id, code: fault.code, err: fault.cause ?? error }, 'a request failed')
      if (ctx.res.headersSent) {
        ctx.res.destroy()
        return
      }
      const credentials = ctx.req.headers.authorization !== undefined
      await send(
        ctx,
        faultAnswer(fault, {
          interface: route?.interface ?? interfaceOfPath(ctx.path),
          correlationId,
          routed: route !== undefined,
          credentials,
        }),
      )
    }
  }
