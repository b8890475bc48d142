import { FAULTS } from '../../../shared/kernel/errors.ts'
import type { Middleware } from '../context.ts'
import { faultAnswer, faultOf, interfaceOfPath, type Translate } from '../errors.ts'
import { send } from '../wire.ts'

/** Whatever is thrown below becomes a reply here; what is our own failure is logged with its cause. */
export const faults =
  (translate?: Translate): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { correlationId, log, route, signal } = ctx.state
      // Nobody is left to be told, and a handler stopped by its signal has done nothing wrong.
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
