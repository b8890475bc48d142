import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startLanguages } from './client/i18n.ts'
import './styles/index.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
await startLanguages()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
