/** True if a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0); // signal 0 ends nothing
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // EPERM: another user's
  }
}
