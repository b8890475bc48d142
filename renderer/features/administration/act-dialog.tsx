import { ActDialog as Plain, type ActDialogProps } from '../../ui/act/act-dialog.tsx'
import { Problem } from './problem.tsx'

/** A decision of the administration. */
export const ActDialog = (props: Omit<ActDialogProps, 'problem'>) => (
  <Plain {...props} problem={(error) => <Problem error={error} title={props.failed} />} />
)
