import { ActDialog as Plain, type ActDialogProps } from '../../ui/act/act-dialog.tsx'
import { Problem } from './problem.tsx'

/** A decision about what goes or is kept. */
export const ActDialog = (props: Omit<ActDialogProps, 'problem'>) => (
  <Plain {...props} problem={(error) => <Problem error={error} title={props.failed} />} />
)
