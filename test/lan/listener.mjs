/** Somebody else's program on another host that looks for stations. */
import bonjour from 'bonjour-service'

const found = new bonjour.Bonjour({ interface: process.argv[2], bind: '0.0.0.0' })
found.find({ type: 'sallyport' }, ({ name, host, port, addresses }) => {
  process.stdout.write(JSON.stringify({ name, host, port, addresses }), () => process.exit(0))
})
setTimeout(() => process.exit(1), 50_000)
