/** The faces of the table, asked for before it is drawn: text set in its own type from the start never shifts. */
const FACES = [
  '500 16px "Alegreya Sans"',
  '700 16px "Alegreya Sans"',
  '700 16px Alegreya',
  '800 16px Alegreya',
  '600 34px "Grenze Gotisch"',
]
/** A slow network must not keep anybody from the table. */
const PATIENCE = 1500

export function lettered(): Promise<unknown> {
  const asked = Promise.all(FACES.map((face) => document.fonts?.load(face))).catch(() => {})
  return Promise.race([asked, new Promise((done) => setTimeout(done, PATIENCE))])
}
