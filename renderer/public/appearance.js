// Runs before the first paint, as a file of its own because the page allows no inline script. The keys are those of client/appearance.ts.
try {
  const theme = localStorage.getItem('sallyport.theme')
  const density = localStorage.getItem('sallyport.density')
  if (theme) document.documentElement.dataset.theme = theme
  if (density) document.documentElement.dataset.density = density
} catch {
  // Storage is refused: the system's theme stays.
}
