import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app/app.tsx'
import { startLanguages } from './client/i18n.ts'
import './styles/index.css'

// The page's policy forbids code made at run time; without this the schemas would try.
z.config({ jitless: true })

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
await startLanguages()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
