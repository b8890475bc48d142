import { useTranslation } from '../../../client/translate.ts'
import { TextField } from '../../../ui/field/field.tsx'
import type { UserDraft, WrongUser } from './draft.ts'

interface UserFieldsProps {
  readonly draft: UserDraft
  readonly set: (change: Partial<UserDraft>) => void
  readonly wrong: WrongUser
  readonly taken: boolean
}

export function UserFields({ draft, set, wrong, taken }: UserFieldsProps) {
  const { t } = useTranslation('administration')
  const words = {
    Username: t('username'),
    FirstName: t('firstName'),
    LastName: t('lastName'),
    Badge: t('badge'),
    Email: t('email'),
  } as const
  const field = (name: keyof UserDraft) => {
    const problem = wrong[name]
    return {
      label: words[name],
      value: draft[name],
      onChange: (value: string): void => set({ [name]: value }),
      error: problem === undefined ? undefined : t(problem),
      autoComplete: 'off',
    }
  }
  return (
    <>
      <TextField
        {...field('Username')}
        required
        spellCheck={false}
        {...(taken ? { error: t('refusedNameTaken') } : {})}
      />
      <TextField {...field('FirstName')} />
      <TextField {...field('LastName')} />
      <TextField {...field('Badge')} />
      <TextField {...field('Email')} type="email" />
    </>
  )
}
