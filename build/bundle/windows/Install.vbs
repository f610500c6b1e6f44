' Installs Manuscript for this user, without an administrator: the program, an entry in the start menu, the file type and the
' command. Run again, it replaces an older version. Uninstall.vbs removes all of it and leaves the manuscripts.
' With /quiet it asks and tells nothing.
Option Explicit
Const NAME = "Manuscript"
Const LOCAL_APPDATA = 28, START_MENU = 2, DOCUMENTS = 5, SYSTEM_FOLDER = 1
Dim shell, files, here, target, host

Set shell = CreateObject("WScript.Shell")
Set files = CreateObject("Scripting.FileSystemObject")
here = files.GetParentFolderName(WScript.ScriptFullName)
target = FolderOf(LOCAL_APPDATA) & "\Programs\" & NAME
host = files.GetSpecialFolder(SYSTEM_FOLDER) & "\wscript.exe"

If LCase(here) = LCase(target) Then
  Tell "Manuscript is installed already."
  WScript.Quit 1
End If
CopyProgram
AddToStartMenu
AddFileType
AddToApps
AddToPath target & "\bin"
Tell "Manuscript is installed. You find it in the start menu, and .manuscript files open with a double click."

Sub CopyProgram
  If files.FileExists(target & "\lib\node.exe") Then
    ' A file of a running program cannot be deleted: then nothing else has been touched yet.
    On Error Resume Next
    files.DeleteFile target & "\lib\node.exe", True
    If Err.Number <> 0 Then
      Tell "Manuscript is running: close it first."
      WScript.Quit 1
    End If
    On Error GoTo 0
    files.DeleteFolder target, True
  End If
  MakeFolder files.GetParentFolderName(target)
  files.CopyFolder here, target
  TrustCopy
End Sub

' Windows marks what comes from the internet, and would ask before each start. Whoever has started this script has been asked.
Sub TrustCopy
  On Error Resume Next
  shell.CurrentDirectory = target
  shell.Run "powershell.exe -NoProfile -Command ""Get-ChildItem -Recurse | Unblock-File""", 0, True
  shell.CurrentDirectory = files.GetParentFolderName(target) ' a folder that a program is in cannot be replaced
End Sub

Sub MakeFolder(path)
  If files.FolderExists(path) Then Exit Sub
  MakeFolder files.GetParentFolderName(path)
  files.CreateFolder path
End Sub

Sub AddToStartMenu
  Dim link
  Set link = shell.CreateShortcut(FolderOf(START_MENU) & "\" & NAME & ".lnk")
  link.TargetPath = host
  link.Arguments = Quoted(target & "\Manuscript.vbs")
  link.IconLocation = target & "\manuscript.ico,0"
  link.WorkingDirectory = FolderOf(DOCUMENTS)
  link.Description = "Write a whole book in one file"
  link.Save
End Sub

Sub AddFileType
  Const CLASSES = "HKCU\Software\Classes\"
  shell.RegWrite CLASSES & ".manuscript\", "Manuscript.Document", "REG_SZ"
  shell.RegWrite CLASSES & "Manuscript.Document\", "Manuscript", "REG_SZ"
  shell.RegWrite CLASSES & "Manuscript.Document\DefaultIcon\", target & "\manuscript.ico", "REG_SZ"
  shell.RegWrite CLASSES & "Manuscript.Document\shell\open\command\", Quoted(host) & " " & Quoted(target & "\Manuscript.vbs") & " ""%1""", "REG_SZ"
End Sub

' The list of programs in Windows' settings, from where it can be removed.
Sub AddToApps
  Const KEY = "HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Manuscript\"
  shell.RegWrite KEY & "DisplayName", NAME, "REG_SZ"
  shell.RegWrite KEY & "DisplayVersion", "@VERSION@", "REG_SZ"
  shell.RegWrite KEY & "DisplayIcon", target & "\manuscript.ico", "REG_SZ"
  shell.RegWrite KEY & "Publisher", "The Manuscript authors", "REG_SZ"
  shell.RegWrite KEY & "InstallLocation", target, "REG_SZ"
  shell.RegWrite KEY & "UninstallString", Quoted(host) & " " & Quoted(target & "\Uninstall.vbs"), "REG_SZ"
  shell.RegWrite KEY & "NoModify", 1, "REG_DWORD"
  shell.RegWrite KEY & "NoRepair", 1, "REG_DWORD"
End Sub

Sub AddToPath(folder)
  Dim path
  path = ""
  On Error Resume Next ' a user may have no PATH of their own
  path = shell.RegRead("HKCU\Environment\Path")
  On Error GoTo 0
  If InStr(1, ";" & path & ";", ";" & folder & ";", vbTextCompare) > 0 Then Exit Sub
  If path <> "" And Right(path, 1) <> ";" Then path = path & ";"
  shell.RegWrite "HKCU\Environment\Path", path & folder, "REG_EXPAND_SZ"
  AnnouncePath
End Sub

' Windows tells running programs of a new PATH only when a variable is set by its own means.
Sub AnnouncePath
  Dim environment
  On Error Resume Next
  Set environment = shell.Environment("USER")
  environment("MANUSCRIPT_ANNOUNCED") = "1"
  environment.Remove "MANUSCRIPT_ANNOUNCED"
End Sub

Function Quoted(path)
  Quoted = """" & path & """"
End Function

Function FolderOf(kind)
  FolderOf = CreateObject("Shell.Application").NameSpace(CInt(kind)).Self.Path
End Function

Sub Tell(message)
  If Not IsQuiet Then MsgBox message, vbInformation, NAME
End Sub

Function IsQuiet
  IsQuiet = False
  If WScript.Arguments.Count > 0 Then IsQuiet = (LCase(WScript.Arguments(0)) = "/quiet")
End Function
